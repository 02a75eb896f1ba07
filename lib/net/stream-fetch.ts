import { Readable } from "node:stream";
import { FormDataEncoder } from "form-data-encoder";

/**
 * A `fetch` that sends and receives files of any size with constant memory: Node's `fetch` buffers
 * the files of a form if the network is slower than the disk. It does not follow redirects. It is
 * only for URLs that the service creates; URLs of users go through `fetch.ts`.
 */
export const streamFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const url = input instanceof Request ? input.url : String(input);
  const headers = new Headers(init.headers);
  const { request } = await import("undici");
  const {
    statusCode,
    headers: responseHeaders,
    body,
  } = await request(url, {
    method: (init.method ?? "GET") as "GET", // undici's type lists the known methods
    body: toBody(init.body, headers),
    headers: Object.fromEntries(headers),
    signal: init.signal ?? null,
  });
  const pairs = Object.entries(responseHeaders).map(([name, value]) => [name, String(value)]);
  // Node's and the DOM's types of the same web stream differ in name only.
  const stream = statusCode === 204 ? null : (Readable.toWeb(body) as ReadableStream);
  return new Response(stream, { status: statusCode, headers: Object.fromEntries(pairs) });
};

function toBody(
  body: RequestInit["body"],
  headers: Headers,
): Readable | Uint8Array | string | null {
  if (body === undefined || body === null || typeof body === "string") return body ?? null;
  if (body instanceof Uint8Array) return body;
  if (!(body instanceof FormData)) throw new Error("unsupported type of body");
  const encoder = new FormDataEncoder(body);
  headers.set("content-type", encoder.contentType);
  if (encoder.contentLength) headers.set("content-length", encoder.contentLength);
  return Readable.from(encoder.encode());
}
