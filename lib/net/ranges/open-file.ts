import { createHash } from "node:crypto";
import { replaceWithNew } from "#lib/files/regular-files.ts";
import { freeMemory } from "#lib/files/temporary-memory.ts";
import {
  describeResponse,
  type FetchedFile,
  type FileRequest,
  fetchToFile,
  saveResponse,
  tooLargeError,
} from "../fetch.ts";
import { type Network, withDeadline } from "../network.ts";
import { type PinnedResponse, readChunks } from "../pinned-request.ts";
import { followRedirects } from "../redirects.ts";
import { formatRange, type Range, RangesUnusableError, readRange } from "./content-range.ts";
import { RangedFile, type RemoteFile } from "./ranged-file.ts";

/** Opens files at URLs whose servers support ranges, and fetches all others. */

export interface OpenedFile extends RemoteFile, Omit<FetchedFile, "sha256"> {
  /** The first MiB. */
  readonly head: Buffer;
}

/** The bytes of the first request. Smaller files are complete with it. */
const headBytes = 2 ** 20;

/**
 * Requests the beginning of a file. If the server supports ranges and the file is longer, returns it
 * opened; otherwise fetches it to the path of the request. `onSize` and all errors are those of
 * `fetchToFile`.
 */
export async function openOrFetch(
  request: FileRequest,
  network: Network,
): Promise<OpenedFile | FetchedFile> {
  const opened = await withDeadline(request.signal, network.limits.totalMs, (signal) =>
    openOrSave({ ...request, signal }, network),
  );
  return opened ?? fetchToFile(request, network);
}

/**
 * Opens a file or saves it. Returns undefined if the response cannot be used and the file must be
 * requested without a range.
 */
async function openOrSave(
  request: FileRequest,
  network: Network,
): Promise<OpenedFile | FetchedFile | undefined> {
  const { url, signal, maxBytes, onSize, headers } = request;
  const wanted = { start: 0, end: headBytes };
  const range = formatRange(wanted);
  const located = await followRedirects(url, network, signal, async (hop) => ({
    ...(await headers?.(hop)),
    range,
  }));
  const { response } = located;
  try {
    // An empty file has no range.
    if (response.status === 416) return undefined;
    if (response.status !== 206) return await saveResponse(located, request, network);
    const found = readRange(response, wanted);
    if (found.bytes > maxBytes) throw tooLargeError(maxBytes);
    await onSize?.(found.bytes);
    const head = await readAll(response, found, network.limits.chunkMs);
    const { start: _start, end: _end, ...version } = found;
    const opened = {
      ...version,
      ...describeResponse(located),
      url,
      head,
      ...(headers ? { headers } : {}),
    };
    // A file that is complete has been read in the same way as without ranges.
    if (head.length < found.bytes) return opened;
    return saveOpened(opened, request, network);
  } catch (error) {
    if (error instanceof RangesUnusableError) return undefined;
    throw error;
  } finally {
    await response.close();
  }
}

async function readAll(response: PinnedResponse, { start, end }: Range, chunkMs: number) {
  const chunks: Uint8Array[] = [];
  let missing = end - start;
  for await (const chunk of readChunks(response.body, chunkMs)) {
    missing -= chunk.length;
    if (missing < 0) break;
    chunks.push(chunk);
  }
  if (missing !== 0) throw new RangesUnusableError("the range has another length than declared");
  return Buffer.concat(chunks);
}

/**
 * Fetches the rest of an opened file, and writes all of it to the path of the request. Throws like
 * `fetchToFile`.
 */
export async function saveOpened(
  opened: OpenedFile,
  request: FileRequest,
  network: Network,
): Promise<FetchedFile> {
  const reader = new RangedFile(opened, network);
  try {
    return await withDeadline(request.signal, network.limits.totalMs, async (signal) => {
      const hash = createHash("sha256").update(opened.head);
      const file = await replaceWithNew(request.path);
      try {
        await file.writeFile(opened.head);
        for await (const chunk of reader.read(opened.head.length, opened.bytes, signal)) {
          hash.update(chunk);
          await file.writeFile(chunk);
          freeMemory(chunk);
        }
      } finally {
        await file.close();
      }
      const { bytes, requestedUrl, finalUrl, contentType, charset, filename } = opened;
      const found = { requestedUrl, finalUrl, contentType, charset, filename };
      return { ...found, bytes, sha256: hash.digest("hex") };
    });
  } catch (error) {
    if (!(error instanceof RangesUnusableError)) throw error;
    return fetchToFile(request, network);
  } finally {
    await reader.close();
  }
}
