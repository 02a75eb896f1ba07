import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { request } from "undici";

/**
 * `fetch` that sends and receives files of any size with constant memory: Node's `fetch` buffers the
 * files of a form if the network is slower than the disk. Does not follow redirects. Only for URLs
 * that the service creates; URLs of users go through `fetch.ts`.
 */
export const streamFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const url = input instanceof Request ? input.url : String(input);
  const headers = new Headers(init.headers);
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
  const boundary = `form-${randomUUID()}`;
  const parts = [...body].map(([name, value]) => toPart(boundary, name, value));
  const end = `--${boundary}--\r\n`;
  const bytes = parts.reduce((sum, { head, content }) => sum + head.length + content.size + 2, 0);
  headers.set("content-type", `multipart/form-data; boundary=${boundary}`);
  headers.set("content-length", String(bytes + end.length));
  return Readable.from(stream(parts, end));
}

interface Part {
  readonly head: Buffer;
  readonly content: Blob;
}

/** A part of a form (RFC 7578). */
function toPart(boundary: string, name: string, value: string | File): Part {
  const isFile = typeof value !== "string";
  const quote = (text: string) => `"${text.replaceAll('"', "%22").replaceAll(/\r?\n/g, "%0D%0A")}"`;
  const lines = [
    `--${boundary}`,
    `Content-Disposition: form-data; name=${quote(name)}${isFile ? `; filename=${quote(value.name)}` : ""}`,
    ...(isFile ? [`Content-Type: ${value.type || "application/octet-stream"}`] : []),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
  return { head, content: isFile ? value : new Blob([value]) };
}

async function* stream(parts: readonly Part[], end: string): AsyncGenerator<Uint8Array> {
  for (const { head, content } of parts) {
    yield head;
    yield* content.stream();
    yield Buffer.from("\r\n");
  }
  yield Buffer.from(end);
}
