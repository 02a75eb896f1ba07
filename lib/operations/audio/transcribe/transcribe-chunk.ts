import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { type OperatorResponse, postToOperator } from "#lib/net/operator-request.ts";
import { parseTranscript, type Transcript } from "./transcript.ts";

/** Asks the transcription server of the operator, which speaks OpenAI's protocol. */

export interface AudioChunk {
  /** A WAV file. */
  readonly wav: Uint8Array;
  /** The start in seconds from the start of the recording. */
  readonly offset: number;
  /** The duration in seconds. */
  readonly duration: number;
}

/** The timeout for a chunk of ten minutes, on a server without a graphics card. */
const timeoutMs = 600_000;

/** Words with their times take about 100 bytes each. */
const maxResponseBytes = 32 * 2 ** 20;

const attempts = 4;

/** The first delay in seconds; it doubles with every attempt. */
const firstDelay = 1;

/** The longest `Retry-After` that is waited for, in seconds. */
const maxDelay = 60;

/**
 * Transcribes a chunk. `language` is an ISO 639-1 code; without it the server detects it. Throws `Error`
 * if the server fails or its response is not valid, which is not the caller's fault. No error contains
 * the key or the response.
 */
export async function transcribeChunk(
  chunk: AudioChunk,
  language: string | undefined,
  signal: AbortSignal,
): Promise<Transcript> {
  const { bytes } = await sendWithRetries(chunk, language, signal);
  try {
    return parseTranscript(bytes.toString("utf8"), chunk.offset, chunk.duration);
  } catch {
    // The cause may quote the response, which is what someone has said.
    throw new Error("the transcription server sent an invalid response");
  }
}

async function sendWithRetries(
  chunk: AudioChunk,
  language: string | undefined,
  signal: AbortSignal,
): Promise<OperatorResponse> {
  for (let attempt = 1; ; attempt++) {
    const { response, problem } = await send(chunk, language, signal);
    if (response && response.status >= 200 && response.status < 300) return response;
    const canRetry = !response || response.status === 429 || response.status >= 500;
    if (!canRetry || attempt === attempts) throw new Error(`the transcription server ${problem}`);
    const delay = response?.retryAfter ?? firstDelay * 2 ** (attempt - 1);
    log.warn({ attempt, problem }, "transcription request failed");
    await wait(Math.min(delay, maxDelay) * 1000, undefined, { signal });
  }
}

/** Sends a request; `problem` of the result is for the log. */
async function send(
  chunk: AudioChunk,
  language: string | undefined,
  signal: AbortSignal,
): Promise<{ response?: OperatorResponse; problem: string }> {
  const { TRANSCRIBE_URL, TRANSCRIBE_KEY } = env;
  if (TRANSCRIBE_URL === undefined) throw new Error("TRANSCRIBE_URL is not set");
  const { body, contentType } = encodeForm(chunk, language);
  try {
    const response = await postToOperator({
      url: `${TRANSCRIBE_URL.replace(/\/+$/, "")}/audio/transcriptions`,
      headers: {
        "content-type": contentType,
        accept: "application/json",
        ...(TRANSCRIBE_KEY === undefined ? {} : { authorization: `Bearer ${TRANSCRIBE_KEY}` }),
      },
      body,
      timeoutMs,
      maxResponseBytes,
      signal,
    });
    return { response, problem: `responded with status ${response.status}` };
  } catch (error) {
    if (signal.aborted || !(error instanceof JobError)) throw error;
    return { problem: `did not respond: ${error.message}` };
  }
}

/** A multipart form (RFC 7578) with the fields of OpenAI's `POST /audio/transcriptions`. */
function encodeForm({ wav }: AudioChunk, language: string | undefined) {
  const boundary = `mediamill-${randomUUID()}`;
  const fields = [
    ["model", env.TRANSCRIBE_MODEL],
    ["response_format", "verbose_json"],
    ["timestamp_granularities[]", "word"],
    ["timestamp_granularities[]", "segment"],
    ...(language === undefined ? [] : [["language", language]]),
  ];
  const head = fields.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="audio.wav"\r\nContent-Type: audio/wav\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(head.join("") + file),
    wav,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}
