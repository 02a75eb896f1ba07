import { JobError } from "#lib/errors.ts";
import { isEncoded } from "../fetch.ts";
import { type PinnedResponse, readHeader } from "../pinned-request.ts";

/** Checks responses to range requests (RFC 9110, 14). */

/** The file cannot be read in part, because of its server or its type. It must be fetched whole. */
export class RangesUnusableError extends Error {
  override readonly name = "RangesUnusableError";
}

/** The version of a file at a URL. All parts that are read must be of the same one. */
export interface FileVersion {
  readonly bytes: number;
  /** The entity tag as the server sent it, with quotes; a weak one begins with `W/`. */
  readonly etag?: string;
  readonly lastModified?: string;
}

/** A range of bytes from `start` to `end`; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The value of the header `Range`. */
export function formatRange({ start, end }: Range): string {
  return `bytes=${start}-${end - 1}`;
}

/**
 * The value of `If-Range`, with which a server sends the whole file if it has changed. A weak ETag is
 * not allowed there (RFC 9110, 13.1.5). Undefined if the server sent nothing that can be used.
 */
export function conditionOf({ etag, lastModified }: FileVersion): string | undefined {
  return etag && !etag.startsWith("W/") ? etag : lastModified;
}

/**
 * The range that a response with status 206 to a request for `wanted` contains: the same start, and
 * possibly an earlier end. Throws `RangesUnusableError` if the response contradicts itself or the
 * request.
 */
export function readRange(response: PinnedResponse, wanted: Range): Range & FileVersion {
  if (isEncoded(response)) throw new RangesUnusableError("the range is compressed");
  const text = readHeader(response, "content-range")?.trim() ?? "";
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(text);
  const [start, last, bytes] = (match ?? []).slice(1).map(Number);
  if (start === undefined || last === undefined || bytes === undefined) {
    throw new RangesUnusableError("the response has no valid Content-Range with a total");
  }
  const end = last + 1;
  if (start !== wanted.start || end > wanted.end || end <= start || end > bytes) {
    throw new RangesUnusableError("the response has another range than the requested one");
  }
  const length = readHeader(response, "content-length");
  if (length !== undefined && Number(length) !== end - start) {
    throw new RangesUnusableError("Content-Length and Content-Range differ");
  }
  return { start, end, bytes, ...readValidators(response) };
}

/** Reads `etag` and `lastModified` of a response. */
export function readValidators(response: PinnedResponse): Omit<FileVersion, "bytes"> {
  const etag = readHeader(response, "etag")?.trim();
  const lastModified = readHeader(response, "last-modified")?.trim();
  return {
    ...(etag && /^(W\/)?"[^"]{0,500}"$/.test(etag) ? { etag } : {}),
    ...(lastModified && lastModified.length <= 100 ? { lastModified } : {}),
  };
}

/** Throws `fetch_failed` if a response is of another version of the file than `known`. */
export function requireSameVersion(
  known: FileVersion,
  actual: Omit<FileVersion, "bytes"> & { readonly bytes?: number },
): void {
  const isSame = known.etag
    ? known.etag === actual.etag
    : known.lastModified === actual.lastModified;
  if (!isSame) throw new JobError("fetch_failed", "The file at the URL changed while it was read.");
  if (actual.bytes === undefined || actual.bytes === known.bytes) return;
  throw new RangesUnusableError("the server reports different sizes of the same file");
}
