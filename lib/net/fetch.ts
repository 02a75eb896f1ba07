import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { JobError } from "#lib/errors.ts";
import { fileNameOf } from "./file-name.ts";
import { defaultNetwork, type Network, parseOrReject, userAgent, withDeadline } from "./network.ts";
import {
  type PinnedResponse,
  readChunks,
  readHeader,
  requestPinned,
  toFetchError,
} from "./pinned-request.ts";

export { type GuardedRequest, type GuardedResponse, guardedRequest } from "./send.ts";

/** The only code that fetches a file from a URL of a user. */

const maxRedirects = 5;
const redirectStatuses = [301, 302, 303, 307, 308];
/** 203 is a 200 that a proxy has modified. */
const successStatuses = [200, 203];

/** The bytes between two calls of `onSize` if the length is not declared. */
const sizeReportBytes = 8 * 2 ** 20;

export interface FileRequest {
  readonly url: string;
  /** Absolute; created or overwritten. After a failure its content is undefined. */
  readonly path: string;
  /** `Infinity` for no limit. */
  readonly maxBytes: number;
  /** When aborted, the fetch rejects with its reason. */
  readonly signal: AbortSignal;
  /**
   * Called with a lower bound of the size: first the declared length, or without one after every
   * 8 MiB, and finally the exact size. Awaited; if it throws, the fetch fails with its error.
   */
  readonly onSize?: (bytes: number) => void | Promise<void>;
}

export interface FetchedFile {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** After redirects. */
  readonly finalUrl: string;
  /** As declared by the server, in lower case and without parameters. */
  readonly contentType: string | undefined;
  /** As declared by the server, in lower case. */
  readonly charset: string | undefined;
  /** For people; never empty. */
  readonly filename: string;
}

/**
 * Fetches a file. Throws `JobError` `address_refused`, `fetch_failed`, `fetch_timeout`, `too_large`
 * or `empty`, whose messages contain no URL, and the errors of `onSize`.
 */
export async function fetchToFile(
  request: FileRequest,
  network: Network = defaultNetwork(),
): Promise<FetchedFile> {
  return withDeadline(request.signal, network.limits.totalMs, async (signal) => {
    const requested = parseOrReject(request.url, "input");
    const { response, url } = await followRedirects(requested, network, signal);
    try {
      const declared = checkResponse(response, request.maxBytes);
      const written = await writeBody(response, declared, request, network.limits.chunkMs);
      const type = readContentType(response);
      const filename = fileNameOf(readHeader(response, "content-disposition"), [url, requested]);
      return { ...written, ...type, finalUrl: url.href, filename };
    } finally {
      await response.close();
    }
  });
}

async function followRedirects(requested: URL, network: Network, signal: AbortSignal) {
  let url = requested;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const target = await network.guard.check(url, "input");
    const response = await requestPinned({
      target,
      limits: network.limits,
      ca: network.ca,
      purpose: "input",
      method: "GET",
      headers: { "user-agent": userAgent, accept: "*/*", "accept-encoding": "identity" },
      signal,
    });
    if (!redirectStatuses.includes(response.status)) return { response, url };
    await response.close();
    url = resolveRedirect(url, readHeader(response, "location"), response.status);
  }
  throw new JobError("fetch_failed", `The server redirected more than ${maxRedirects} times.`);
}

function resolveRedirect(from: URL, location: string | undefined, status: number): URL {
  const next = location === undefined ? null : URL.parse(location, from);
  if (!next) {
    const message = `The server responded with status ${status} without a redirect URL.`;
    throw new JobError("fetch_failed", message);
  }
  const url = parseOrReject(next.href, "input");
  if (from.protocol === "https:" && url.protocol === "http:") {
    throw new JobError("fetch_failed", "The server redirected from https to http.");
  }
  return url;
}

/** The declared length, if any. Throws `JobError` for a response that is no file. */
function checkResponse(response: PinnedResponse, maxBytes: number): number | undefined {
  if (!successStatuses.includes(response.status)) {
    throw new JobError("fetch_failed", `The server responded with status ${response.status}.`);
  }
  const encoding = readHeader(response, "content-encoding")?.trim().toLowerCase() || "identity";
  const transfer = readHeader(response, "transfer-encoding")?.trim().toLowerCase() || "chunked";
  if (encoding !== "identity" || transfer !== "chunked") {
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

async function writeBody(
  response: PinnedResponse,
  declared: number | undefined,
  { path, maxBytes, onSize }: FileRequest,
  chunkMs: number,
) {
  const hash = createHash("sha256");
  let bytes = 0;
  let reported = declared ?? 0;
  if (declared) await onSize?.(declared);
  const file = await open(path, "w");
  try {
    for await (const chunk of readChunks(response.body, chunkMs)) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLargeError(maxBytes);
      if (bytes >= reported + sizeReportBytes) {
        reported = bytes;
        await onSize?.(bytes);
      }
      hash.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  if (declared !== undefined && bytes !== declared) {
    throw toFetchError(new Error(`received ${bytes} of ${declared} bytes`));
  }
  if (bytes === 0) throw new JobError("empty", "The file at the URL is empty.");
  if (bytes !== reported) await onSize?.(bytes);
  return { bytes, sha256: hash.digest("hex") };
}

function tooLargeError(maxBytes: number): JobError {
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
