import { connectionNetworkFor } from "#lib/connections/network.ts";
import type { JobSource, RemoteSource, StoredSource, UrlSource } from "#lib/db/schema/jobs.ts";
import type { PartialFile } from "#lib/engines/partial/partial-file.ts";
import { detectReaderType } from "#lib/engines/sniff/detect-type.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { FetchedFile } from "#lib/net/fetch.ts";
import { RangesUnusableError } from "#lib/net/ranges/content-range.ts";
import { type OpenedFile, openOrFetch, saveOpened } from "#lib/net/ranges/open-file.ts";
import { onlyTrusted } from "#lib/net/redirects.ts";
import {
  isInConnection,
  nameOfReference,
  openInput,
  openInputRanges,
} from "../../connections/input.ts";
import { requireAcceptedType } from "./accepted-types.ts";
import { fetchWhole, type InputFetch, requestOf, store, withinLimit } from "./fetch-whole.ts";
import {
  hasReadableParts,
  isPartialSize,
  openedFiles,
  openRanges,
  openRemoteFile,
} from "./partial-input.ts";

/** Opens a file that can be read in part, and stores any other. */
export async function fetchInPart(
  source: JobSource,
  part: string,
  accepts: readonly MediaTypeId[],
  fetch: InputFetch,
): Promise<StoredSource | RemoteSource> {
  if (source.kind === "remote") return source;
  if (source.kind === "stored" || source.whole) return fetchWhole(source, part, accepts, fetch);
  if (isInConnection(source.url)) return fetchOfConnection(source, part, accepts, fetch);
  const { network } = fetch;
  const request = requestOf(source.url, fetch);
  const found = await withinLimit(fetch.limit, () => openOrFetch(request, network));
  if (!("head" in found)) return store(found, request.path, part, accepts, fetch);
  const remote = await openInPart(found, accepts, fetch);
  if (remote) return remote;
  const fetched = await withinLimit(fetch.limit, () => saveOpened(found, request, network));
  return store(fetched, request.path, part, accepts, fetch);
}

/** The same for a file in a connection. What is stored of its source is the reference, without a signature. */
async function fetchOfConnection(
  source: UrlSource,
  part: string,
  accepts: readonly MediaTypeId[],
  fetch: InputFetch,
): Promise<StoredSource | RemoteSource> {
  const { job, signal } = fetch;
  const network = connectionNetworkFor(job.plan);
  const opened = await openInput(job, source.url, signal, async ({ url, headers }) => {
    const request = { ...requestOf(url, fetch), headers: onlyTrusted(headers) };
    const found = await withinLimit(fetch.limit, () => openOrFetch(request, network));
    return { found, request };
  });
  if (!opened) return fetchByRanges(source, part, accepts, fetch);
  const { found, request } = opened;
  const file = { ...found, filename: nameOfReference(source.url) };
  if (!("head" in file)) return store(file, request.path, part, accepts, fetch, source.url);
  const remote = await openInPart(file, accepts, { ...fetch, network });
  if (remote) return { ...remote, url: source.url, finalUrl: source.url };
  return fetchWhole(source, part, accepts, fetch);
}

/** The same for a file whose store has no HTTP. */
async function fetchByRanges(
  source: UrlSource,
  part: string,
  accepts: readonly MediaTypeId[],
  fetch: InputFetch,
): Promise<StoredSource | RemoteSource> {
  const { job, limit, signal } = fetch;
  const ranges = await openInputRanges(job, source.url, signal);
  const { bytes = 0, version: etag } = ranges ?? {};
  if (!ranges || !isPartialSize(bytes) || bytes > (limit?.bytes ?? bytes)) {
    await ranges?.close();
    return fetchWhole(source, part, accepts, fetch);
  }
  const file = await openRanges(ranges);
  const { url } = source;
  const found = { url, finalUrl: url, filename: nameOfReference(url), bytes, etag: etag ?? "" };
  const remote = await keepInPart(file, found, accepts, fetch);
  return remote ?? fetchWhole(source, part, accepts, fetch);
}

/** Opens a file to read it in part. Returns undefined if it must be fetched as a whole. */
async function openInPart(
  opened: OpenedFile,
  accepts: readonly MediaTypeId[],
  fetch: InputFetch,
): Promise<RemoteSource | undefined> {
  const { head, requestedUrl: _, headers, ...found } = opened;
  if (!isPartialSize(found.bytes)) return undefined;
  const { contentType: _type, charset: _charset, ...remote } = found;
  const file = await openRemoteFile(
    { ...remote, ...(headers && { headers }) },
    fetch.network,
    head,
  );
  return keepInPart(file, found, accepts, fetch);
}

/** What is known of a file that is read in part, before its content is looked at. */
type FoundFile = Omit<RemoteSource, "kind" | "contentType" | "charset"> &
  Partial<Pick<FetchedFile, "contentType" | "charset">>;

/** Keeps an opened file for the next stage. Closes it and returns undefined if it must be fetched as a whole. */
async function keepInPart(
  file: PartialFile,
  { contentType, charset, ...remote }: FoundFile,
  accepts: readonly MediaTypeId[],
  { job, quota, signal }: InputFetch,
): Promise<RemoteSource | undefined> {
  const stop = () => void file.close();
  signal.addEventListener("abort", stop, { once: true });
  let isKept = false;
  try {
    const { filename, bytes } = remote;
    const type = await detectReaderType(file, {
      filename,
      ...(contentType ? { contentType } : {}),
    });
    if (!hasReadableParts(type)) return undefined;
    requireAcceptedType(type, accepts);
    await quota.reserve(bytes);
    quota.addRead(bytes);
    openedFiles.keep(job.id, file);
    isKept = true;
    const declared = charset ? { charset } : {};
    return { kind: "remote", ...remote, contentType: type.mime, ...declared };
  } catch (error) {
    if (error instanceof RangesUnusableError) return undefined;
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    if (!isKept) await file.close();
  }
}
