import { createHash } from "node:crypto";
import { JobError } from "#lib/errors.ts";
import { replaceWithNew } from "#lib/files/regular-files.ts";
import { freeMemory } from "#lib/files/temporary-memory.ts";
import { ResponseStatusError, toFetchError } from "./fetch-errors.ts";
import { fileNameOf } from "./file-name.ts";
import { type Network, withDeadline } from "./network.ts";
import { type PinnedResponse, readChunks, readHeader } from "./pinned-request.ts";
import { followRedirects, type HeadersOf, type LocatedResponse } from "./redirects.ts";

export { type GuardedRequest, type GuardedResponse, guardedRequest } from "./send.ts";

/** The only code that fetches a whole file from a URL of a user; ranged-file.ts reads parts. */

/** The statuses of success; 203 is a 200 that a proxy has modified. */
const successStatuses = [200, 203];

/** The bytes between two calls of `onSize` if the length is not declared. */
const sizeReportBytes = 8 * 2 ** 20;

/** Receives the bytes of a file in order. If it throws, the fetch fails with its error. */
export type WriteChunk = (chunk: Uint8Array) => void | Promise<void>;

export interface BytesRequest {
  readonly url: string;
  /** The largest size in bytes; `Infinity` for no limit. */
  readonly maxBytes: number;
  /** A signal; when it is aborted, the fetch rejects with its reason. */
  readonly signal: AbortSignal;
  /**
   * The function that is called with a lower bound of the size: first the declared length, or
   * without one after every 8 MiB, and finally the exact size. It is awaited; if it throws, the
   * fetch fails with its error.
   */
  readonly onSize?: (bytes: number) => void | Promise<void>;
  /** Headers of each request in addition. */
  readonly headers?: HeadersOf;
  /** Whether a file without bytes is no error. By default it is `empty`. */
  readonly mayBeEmpty?: boolean;
}

export interface FileRequest extends BytesRequest {
  /**
   * The absolute path of the file, which is created or overwritten. After a failure its content is
   * undefined.
   */
  readonly path: string;
}

export interface FetchedFile {
  readonly bytes: number;
  /** The hash in hex. */
  readonly sha256: string;
  /** The URL in the normal form of `URL`. */
  readonly requestedUrl: string;
  /** The URL after redirects. */
  readonly finalUrl: string;
  /** The type that the server declared, in lower case and without parameters. */
  readonly contentType: string | undefined;
  /** The encoding that the server declared, in lower case. */
  readonly charset: string | undefined;
  /** The name for people, which is never empty. */
  readonly filename: string;
  /** When the file was last changed, as the server declared it. */
  readonly lastModified?: string;
}

/**
 * Fetches a file. Throws `JobError` `address_refused`, `fetch_failed`, `fetch_timeout`, `too_large`
 * or `empty`, whose messages contain no URL, and the errors of `onSize`.
 */
export async function fetchToFile(request: FileRequest, network: Network): Promise<FetchedFile> {
  return withDeadline(request.signal, network.limits.totalMs, async (signal) => {
    const located = await followRedirects(request.url, network, signal, request.headers);
    try {
      return await saveResponse(located, request, network);
    } finally {
      await located.response.close();
    }
  });
}

/** Fetches a file and passes its bytes on as they arrive. Throws like `fetchToFile`. */
export async function fetchBytes(
  request: BytesRequest,
  network: Network,
  write: WriteChunk,
): Promise<Omit<FetchedFile, "sha256">> {
  return withDeadline(request.signal, network.limits.totalMs, async (signal) => {
    const located = await followRedirects(request.url, network, signal, request.headers);
    const { response } = located;
    try {
      const declared = checkResponse(response, request.maxBytes);
      const bytes = await readBody(response, { declared, request, write }, network.limits.chunkMs);
      return { bytes, ...describeResponse(located) };
    } finally {
      await response.close();
    }
  });
}

/** Writes the body of a response without ranges to the request's path. Throws like `fetchToFile`. */
export async function saveResponse(
  located: LocatedResponse,
  request: FileRequest,
  { limits }: Network,
): Promise<FetchedFile> {
  const { response } = located;
  const declared = checkResponse(response, request.maxBytes);
  const written = await writeBody(response, declared, request, limits.chunkMs);
  return { ...written, ...describeResponse(located) };
}

/** What a response says of its file. */
export function describeResponse({
  response,
  url,
  requested,
}: LocatedResponse): Omit<FetchedFile, "bytes" | "sha256"> {
  const filename = fileNameOf(readHeader(response, "content-disposition"), [url, requested]);
  const lastModified = readHeader(response, "last-modified")?.trim();
  return {
    ...readContentType(response),
    requestedUrl: requested.href,
    finalUrl: url.href,
    filename,
    ...(lastModified && lastModified.length <= 100 ? { lastModified } : {}),
  };
}

/** The declared length, if any. Throws `JobError` for a response that is no file. */
function checkResponse(response: PinnedResponse, maxBytes: number): number | undefined {
  if (!successStatuses.includes(response.status)) {
    throw new ResponseStatusError(response.status);
  }
  if (isEncoded(response)) {
    throw new JobError(
      "fetch_failed",
      "The server sent a compressed response although none was requested.",
    );
  }
  const length = readHeader(response, "content-length");
  const declared = length === undefined ? undefined : Number(length);
  if (declared !== undefined && declared > maxBytes) throw tooLargeError(maxBytes);
  return declared;
}

/** Whether the body is not the file itself but compressed. */
export function isEncoded(response: PinnedResponse): boolean {
  const encoding = readHeader(response, "content-encoding")?.trim().toLowerCase() || "identity";
  const transfer = readHeader(response, "transfer-encoding")?.trim().toLowerCase() || "chunked";
  return encoding !== "identity" || transfer !== "chunked";
}

async function writeBody(
  response: PinnedResponse,
  declared: number | undefined,
  request: FileRequest,
  chunkMs: number,
) {
  const hash = createHash("sha256");
  const file = await replaceWithNew(request.path);
  const write = async (chunk: Uint8Array) => {
    hash.update(chunk);
    await file.writeFile(chunk);
    freeMemory(chunk);
  };
  try {
    const bytes = await readBody(response, { declared, request, write }, chunkMs);
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
}

/** Passes the bytes of a body on. Returns how many they are. */
async function readBody(
  response: PinnedResponse,
  {
    declared,
    request: { maxBytes, onSize, mayBeEmpty = false },
    write,
  }: {
    readonly declared: number | undefined;
    readonly request: BytesRequest;
    readonly write: WriteChunk;
  },
  chunkMs: number,
): Promise<number> {
  let bytes = 0;
  let reported = declared ?? 0;
  if (declared) await onSize?.(declared);
  for await (const chunk of readChunks(response.body, chunkMs)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLargeError(maxBytes);
    if (bytes >= reported + sizeReportBytes) {
      reported = bytes;
      await onSize?.(bytes);
    }
    await write(chunk);
  }
  if (declared !== undefined && bytes !== declared) {
    throw toFetchError(new Error(`received ${bytes} of ${declared} bytes`));
  }
  if (bytes === 0 && !mayBeEmpty) throw new JobError("empty", "The file at the URL is empty.");
  if (bytes !== reported) await onSize?.(bytes);
  return bytes;
}

export function tooLargeError(maxBytes: number): JobError {
  const megabytes = Math.round(maxBytes / 1e4) / 100;
  return new JobError("too_large", `The file at the URL is larger than ${megabytes} MB.`);
}

function readContentType(response: PinnedResponse) {
  const [type, ...parameters] = (readHeader(response, "content-type") ?? "")
    .toLowerCase()
    .split(";");
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/.exec(parameter)?.[1])
    .find((found) => found !== undefined);
  return { contentType: type?.trim() || undefined, charset };
}
