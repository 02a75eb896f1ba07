import { Readable } from "node:stream";
import type { JobOutput } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { type ByteRange, FileGoneError, storage } from "#lib/storage/index.ts";

/** Types that a browser may show in place; all others are saved. */
const inlineTypes = /^(?:image\/(?!svg)|video\/|audio\/|application\/pdf$)/;

/** Becomes `Content-Length` in the web process; Next.js would drop that one. */
export const bodyLengthHeader = "x-body-length";

/**
 * Answers with a stored output: whole or a range, GET or HEAD, with a strong ETag. Its type is ours
 * and nothing in it runs: it may come from a hostile file.
 */
export async function sendOutput(request: Request, output: JobOutput): Promise<Response> {
  const etag = `"${output.sha256}"`;
  const headers = new Headers({
    "Content-Type": output.contentType,
    "Content-Disposition": disposition(output),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, max-age=0, must-revalidate",
    ETag: etag,
  });
  if (matches(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const range = rangeOf(request, etag, output.bytes);
  if (range === "unsatisfiable") {
    return refuseRange(output.bytes);
  }
  const { start, end } = range ?? { start: 0, end: output.bytes - 1 };
  headers.set(bodyLengthHeader, String(end - start + 1));
  if (range) headers.set("Content-Range", `bytes ${start}-${end}/${output.bytes}`);
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const stream = await openOutput(output.key, range);
  // Node's and the DOM's types of the same web stream differ in name only.
  return new Response(Readable.toWeb(stream) as ReadableStream, { status, headers });
}

/** 416 has no code of its own in our table; in the form of all other errors it is a bad request. */
function refuseRange(bytes: number): Response {
  const error = `The range lies outside of the file, which has ${bytes} bytes.`;
  const headers = { "Content-Range": `bytes */${bytes}`, "X-Error-Code": "invalid_request" };
  return Response.json({ error }, { status: 416, headers });
}

async function openOutput(key: string, range: ByteRange | undefined): Promise<Readable> {
  try {
    return await storage().read(key, range);
  } catch (error) {
    if (error instanceof FileGoneError) throw outputGone(error);
    throw error;
  }
}

export function outputGone(cause?: unknown): RequestError {
  return new RequestError("gone", "The output is past its retention or was deleted.", { cause });
}

/** `attachment` or `inline`, with an ASCII name for all and the real one for those that read RFC 6266. */
function disposition({ contentType, filename }: JobOutput): string {
  const kind = inlineTypes.test(contentType) ? "inline" : "attachment";
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function matches(header: string | null, etag: string): boolean {
  if (!header) return false;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}

/** A single byte range (RFC 9110); several, or another unit, are answered with the whole file. */
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
