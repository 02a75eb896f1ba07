import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { JobError } from "#lib/errors.ts";
import { fileNameOf } from "./file-name.ts";
import { defaultNetwork, type Network, parseOrRefuse, userAgent, withDeadline } from "./network.ts";
import {
  explainFailure,
  header,
  type PinnedResponse,
  readChunks,
  requestPinned,
} from "./pinned-request.ts";

export { type GuardedAnswer, type GuardedRequest, guardedRequest } from "./send.ts";

/** The only code that fetches a file from an address which a user gave. */

const maxRedirects = 5;
const redirectStatuses = [301, 302, 303, 307, 308];
/** 203 is a 200 that a proxy on the way has touched. */
const fileStatuses = [200, 203];

/** How often `onSize` hears of a file whose length was not declared. */
const sizeStepBytes = 8 * 2 ** 20;

export interface FileRequest {
  readonly url: string;
  /** Absolute; made or overwritten. What is there after a failure is of no use. */
  readonly path: string;
  /** `Infinity` for no bound. */
  readonly maxBytes: number;
  /** When aborted, the fetch rejects with its reason. */
  readonly signal: AbortSignal;
  /**
   * Told how large the file is at least: first the declared length, if there is one; without one,
   * again for each further 8 MiB; last the exact size. Awaited; what it throws ends the fetch.
   */
  readonly onSize?: (bytes: number) => void | Promise<void>;
}

export interface FetchedFile {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** After redirects. */
  readonly finalUrl: string;
  /** Lower case, without parameters, as the server declared it. */
  readonly contentType: string | undefined;
  /** Lower case, as the server declared it. */
  readonly charset: string | undefined;
  /** For people; never empty. */
  readonly filename: string;
}

/**
 * Fetches a file. Throws `JobError` `address_refused`, `fetch_failed`, `fetch_timeout`, `too_large`
 * or `empty`, none of whose sentences repeats an address, and whatever `onSize` throws.
 */
export async function fetchToFile(
  request: FileRequest,
  network: Network = defaultNetwork(),
): Promise<FetchedFile> {
  return withDeadline(request.signal, network.limits.totalMs, async (signal) => {
    const asked = parseOrRefuse(request.url, "input");
    const { response, url } = await followRedirects(asked, network, signal);
    try {
      const declared = checkAnswer(response, request.maxBytes);
      const written = await writeBody(response, declared, request, network.limits.chunkMs);
      const type = contentTypeOf(response);
      const filename = fileNameOf(header(response, "content-disposition"), [url, asked]);
      return { ...written, ...type, finalUrl: url.href, filename };
    } finally {
      await response.close();
    }
  });
}

async function followRedirects(asked: URL, network: Network, signal: AbortSignal) {
  let url = asked;
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
    url = nextHop(url, header(response, "location"), response.status);
  }
  throw new JobError("fetch_failed", `The server redirected more than ${maxRedirects} times.`);
}

function nextHop(from: URL, location: string | undefined, status: number): URL {
  const next = location === undefined ? null : URL.parse(location, from);
  if (!next)
    throw new JobError("fetch_failed", `The server answered ${status} without an address.`);
  const url = parseOrRefuse(next.href, "input");
  if (from.protocol === "https:" && url.protocol === "http:") {
    throw new JobError("fetch_failed", "The server redirected from https to http.");
  }
  return url;
}

/** The declared length, if any. Throws for an answer that is no file. */
function checkAnswer(response: PinnedResponse, maxBytes: number): number | undefined {
  if (!fileStatuses.includes(response.status)) {
    throw new JobError("fetch_failed", `The server answered ${response.status}.`);
  }
  const encoding = header(response, "content-encoding")?.trim().toLowerCase() || "identity";
  const transfer = header(response, "transfer-encoding")?.trim().toLowerCase() || "chunked";
  if (encoding !== "identity" || transfer !== "chunked") {
    throw new JobError("fetch_failed", "The server sent the file compressed, though not asked to.");
  }
  const length = header(response, "content-length");
  const declared = length === undefined ? undefined : Number(length);
  if (declared !== undefined && declared > maxBytes) throw tooLarge(maxBytes);
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
  let told = declared ?? 0;
  if (declared) await onSize?.(declared);
  const file = await open(path, "w");
  try {
    for await (const chunk of readChunks(response.body, chunkMs)) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      if (bytes >= told + sizeStepBytes) {
        told = bytes;
        await onSize?.(bytes);
      }
      hash.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  if (declared !== undefined && bytes !== declared) {
    throw explainFailure(new Error(`${bytes} of ${declared} bytes came`));
  }
  if (bytes === 0) throw new JobError("empty", "The file at the address is empty.");
  if (bytes !== told) await onSize?.(bytes);
  return { bytes, sha256: hash.digest("hex") };
}

function tooLarge(maxBytes: number): JobError {
  const megabytes = Math.round(maxBytes / 1e4) / 100;
  return new JobError("too_large", `The file at the address is larger than ${megabytes} MB.`);
}

function contentTypeOf(response: PinnedResponse) {
  const [type, ...parameters] = (header(response, "content-type") ?? "").toLowerCase().split(";");
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/.exec(parameter)?.[1])
    .find((found) => found !== undefined);
  return { contentType: type?.trim() || undefined, charset };
}
