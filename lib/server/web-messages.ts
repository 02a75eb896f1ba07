import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { compressedBodyOf } from "#lib/api/http/constant-json.ts";
import { bodyLengthHeader } from "#lib/api/http/send-file.ts";

/** Converts requests and responses between Node's HTTP server and the web's `Request` and `Response`. */

/** JSON below this size is not compressed: it fits into one packet anyway. */
const minCompressedBytes = 1400;

const compress = promisify(gzip);

/** The request as endpoints take it. Aborted when the client disconnects. */
export function openRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const { method = "GET", headers: given } = incoming;
  const controller = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "string") headers.set(name, value);
    else for (const one of value ?? []) headers.append(name, one);
  }
  const url = `http://${given.host ?? "localhost"}${incoming.url}`;
  // The body is read from `incoming`.
  return new Request(url, { method, headers, signal: controller.signal });
}

/** Sends a response. A body without a length is sent as it comes. */
export async function sendResponse(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  const isFile = response.headers.has(bodyLengthHeader);
  if (!response.body) {
    outgoing.end();
  } else if (!isFile && /^application\/json\b/.test(response.headers.get("content-type") ?? "")) {
    await sendText(response, incoming, outgoing);
  } else {
    await sendStream(response.body, outgoing);
  }
}

async function sendText(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const accepted = String(incoming.headers["accept-encoding"] ?? "");
  const isGzipAccepted = /(?:^|[\s,])(?:gzip|\*)(?:$|[\s,])/.test(accepted);
  const kept = isGzipAccepted ? compressedBodyOf(response) : undefined;
  if (kept) {
    sendGzip(kept, outgoing);
    return;
  }
  const body = Buffer.from(await response.arrayBuffer());
  if (body.length < minCompressedBytes) {
    outgoing.end(body);
    return;
  }
  if (isGzipAccepted) {
    sendGzip(await compress(body), outgoing);
    return;
  }
  outgoing.appendHeader("Vary", "Accept-Encoding").end(body);
}

function sendGzip(compressed: Buffer, outgoing: ServerResponse): void {
  outgoing.appendHeader("Vary", "Accept-Encoding").setHeader("Content-Encoding", "gzip");
  outgoing.end(compressed);
}

async function sendStream(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  outgoing.once("close", cancel);
  try {
    // Clients of event streams wait for the headers.
    outgoing.flushHeaders();
    while (true) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value)) await drained(outgoing);
    }
    outgoing.end();
  } catch (error) {
    const isDisconnected = outgoing.destroyed;
    // The status is sent: only a cut connection says that the body is incomplete.
    outgoing.destroy();
    if (!isDisconnected) throw error;
  } finally {
    outgoing.off("close", cancel);
    // The client may have disconnected before the listener was there.
    if (outgoing.destroyed) cancel();
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const proceed = () => {
      outgoing.off("drain", proceed).off("close", proceed);
      resolve();
    };
    outgoing.on("drain", proceed).on("close", proceed);
  });
}
