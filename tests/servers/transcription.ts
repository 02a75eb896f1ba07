import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import busboy from "busboy";

/** A server that speaks OpenAI's protocol of transcription, without recognizing anything. */

export interface TranscriptionRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The values of each field of the form, in order. */
  readonly fields: Readonly<Record<string, string[]>>;
  readonly filename: string;
  readonly contentType: string;
  readonly wav: Buffer;
}

/** Reads a request as a server would. */
export async function readTranscriptionRequest(
  request: IncomingMessage,
): Promise<TranscriptionRequest> {
  const fields: Record<string, string[]> = {};
  const chunks: Buffer[] = [];
  let filename = "";
  let contentType = "";
  await new Promise<void>((resolve, reject) => {
    const form = busboy({ headers: request.headers });
    form.on("field", (name, value) => {
      fields[name] = [...(fields[name] ?? []), value];
    });
    form.on("file", (_name, stream, info) => {
      filename = info.filename ?? "";
      contentType = info.mimeType;
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    });
    form.on("close", resolve).on("error", reject);
    request.pipe(form);
  });
  const { url = "", headers } = request;
  return { path: url, headers, fields, filename, contentType, wav: Buffer.concat(chunks) };
}

/** The duration of 16-bit mono audio with a header of 44 bytes at 16 kHz, in seconds. */
export function wavSeconds(wav: Buffer): number {
  return (wav.length - 44) / 2 / 16_000;
}

/** What a server would respond with for audio in which the words `text` are spoken evenly. */
export function verboseJson(seconds: number, text: string): string {
  const spoken = text.split(" ");
  const share = seconds / spoken.length;
  const words = spoken.map((word, index) => ({
    word,
    start: index * share,
    end: (index + 1) * share,
  }));
  const segments = [{ id: 0, start: 0, end: seconds, text: ` ${text}`, avg_logprob: -0.2 }];
  return JSON.stringify({
    task: "transcribe",
    language: "english",
    duration: seconds,
    text,
    segments,
    words,
  });
}

const listener: RequestListener = async (request, response) => {
  const { wav } = await readTranscriptionRequest(request);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(verboseJson(wavSeconds(wav), "The same words for any audio."));
};

/** Starts a server that does not keep the process alive. Returns its base URL. */
export async function startTranscriptionServer(): Promise<string> {
  const server = createServer(listener).unref();
  server.on("connection", (socket) => socket.unref());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address of this type.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
