import { setTimeout as wait } from "node:timers/promises";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { postToOperator } from "#lib/net/operator-request.ts";

/** Asks the time stamp server of the operator over HTTP (RFC 3161, 3.4). */

const timeoutMs = 20_000;

/** A size that the certificates of no server reach. */
const maxResponseBytes = 2 ** 18;

/** The milliseconds before each further attempt. */
const delays = [500, 2000];

/** Throws `Error` if the server fails, which is not the caller's fault. */
export async function requestTimestamp(request: Buffer, signal: AbortSignal): Promise<Buffer> {
  for (let attempt = 0; ; attempt++) {
    const { response, problem } = await send(request, signal);
    if (response) return response;
    const delay = delays[attempt];
    if (delay === undefined) throw new Error(`the time stamp server ${problem}`);
    log.warn({ attempt: attempt + 1, problem }, "time stamp request failed");
    await wait(delay, undefined, { signal });
  }
}

async function send(
  body: Buffer,
  signal: AbortSignal,
): Promise<{ response?: Buffer; problem: string }> {
  if (env.TIMESTAMP_URL === undefined) throw new Error("TIMESTAMP_URL is not set");
  try {
    const response = await postToOperator({
      url: env.TIMESTAMP_URL,
      headers: {
        "content-type": "application/timestamp-query",
        accept: "application/timestamp-reply",
      },
      body,
      timeoutMs,
      maxResponseBytes,
      signal,
    });
    const problem = `responded with status ${response.status}`;
    return response.status === 200 ? { response: response.bytes, problem } : { problem };
  } catch (error) {
    if (signal.aborted || !(error instanceof JobError)) throw error;
    return { problem: `did not respond: ${error.message}` };
  }
}
