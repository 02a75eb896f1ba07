import { hash } from "node:crypto";
import { Readable } from "node:stream";
import type { JobOutput } from "#lib/db/schema/jobs.ts";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import { checkEntityTag } from "#lib/net/entity-tags.ts";
import { type ByteRange, FileGoneError, storage } from "#lib/storage/index.ts";

/** Types that a browser may show inline; all others are downloaded. */
const inlineTypes = /^(?:image\/(?!svg)|video\/|audio\/|application\/pdf$)/;

/** The web server turns this header into `Content-Length`, which Next.js drops from responses. */
export const bodyLengthHeader = "x-body-length";

/**
 * The response with a stored file, whole or a range, for GET or HEAD, with a strong ETag. The file may
 * be hostile: its type comes from the service, and browsers may not run anything in it.
 */
export async function sendStoredFile(request: Request, output: JobOutput): Promise<Response> {
  const etag = etagOf(output);
  const headers = new Headers({
    "Content-Type": output.contentType,
    "Content-Disposition": disposition(output),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, max-age=0, must-revalidate",
    ETag: etag,
  });
  if (hasFile(request, etag)) return new Response(null, { status: 304, headers });
  const range = rangeOf(request, etag, output.bytes);
  if (range === "unsatisfiable") return rangeNotSatisfiable(output.bytes);
  const { start, end } = range ?? { start: 0, end: output.bytes - 1 };
  headers.set(bodyLengthHeader, String(end - start + 1));
  if (range) headers.set("Content-Range", `bytes ${start}-${end}/${output.bytes}`);
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const stream = await orGone(storage().read(output.key, range));
  // Node and the DOM type the same web stream differently.
  return new Response(Readable.toWeb(stream) as ReadableStream, { status, headers });
}

/**
 * Sends a file as `sendStoredFile` does, but a GET is redirected to a signed URL of the store, if
 * it has them and `DOWNLOADS` is `redirect`. A file that the client has is not sent again; HEAD
 * needs no store.
 */
export async function sendOrRedirect(request: Request, output: JobOutput): Promise<Response> {
  const isKnown = hasFile(request, etagOf(output));
  const signed = request.method === "GET" && !isKnown ? signUrl(output) : undefined;
  if (!signed) return sendStoredFile(request, output);
  const headers = { Location: await orGone(signed), "Cache-Control": "no-store" };
  return new Response(null, { status: 302, headers });
}

/**
 * Seconds that a signed URL of the store is valid: as long as a signed URL of the service, because a
 * player sends every later range request to the store.
 */
const signedUrlSeconds = 3600;

function signUrl(output: JobOutput): Promise<string> | undefined {
  if (env.DOWNLOADS === "proxy") return undefined;
  const { contentType } = output;
  const contentDisposition = disposition(output);
  const download = { seconds: signedUrlSeconds, contentType, contentDisposition };
  return storage().signDownload?.(output.key, download);
}

/** There is no error code for 416, so its code is that of an invalid request. */
function rangeNotSatisfiable(bytes: number): Response {
  const error = `\`Range\` is outside of the file, which has ${bytes} bytes.`;
  const headers = { "Content-Range": `bytes */${bytes}`, "X-Error-Code": "invalid_request" };
  return Response.json({ error }, { status: 416, headers });
}

/** Turns the error of a missing file into 410. */
async function orGone<Result>(found: Promise<Result>): Promise<Result> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof FileGoneError) throw fileGone(error);
    throw error;
  }
}

export function fileGone(cause?: unknown): RequestError {
  const message = "The file is past its retention time or was deleted.";
  return new RequestError("gone", message, { cause });
}

/**
 * The header `Content-Disposition`: `attachment` or `inline`, with an ASCII name, and the real name
 * for clients that read RFC 6266.
 */
function disposition({ contentType, filename }: JobOutput): string {
  const kind = inlineTypes.test(contentType) ? "inline" : "attachment";
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/**
 * A stored file is never changed, and its key contains the id of its job. So the key identifies the
 * content, and no file has to be read for its ETag.
 */
function etagOf({ key }: JobOutput): string {
  return `"${hash("sha256", key).slice(0, 32)}"`;
}

/** Whether the client has the file with this ETag. Throws `precondition_failed` if it wants only others. */
export function hasFile({ headers }: Request, etag: string): boolean {
  const checked = checkEntityTag((name) => headers.get(name), etag);
  if (checked !== "failed") return checked === "unchanged";
  const message = "The file has none of the ETags in `If-Match`.";
  throw new RequestError("precondition_failed", message);
}

/** A single byte range (RFC 9110). Undefined for several ranges or another unit: the file is sent whole. */
function rangeOf(
  request: Request,
  etag: string,
  bytes: number,
): ByteRange | "unsatisfiable" | undefined {
  const ifRange = request.headers.get("if-range");
  if (ifRange && ifRange !== etag) return undefined;
  const parsed = /^bytes=(\d*)-(\d*)$/.exec(request.headers.get("range")?.trim() ?? "");
  if (!parsed) return undefined;
  const [, first = "", last = ""] = parsed;
  if (first === "" && last === "") return undefined;
  if (first === "") {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? "unsatisfiable" : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start >= bytes ? "unsatisfiable" : { start, end };
}
