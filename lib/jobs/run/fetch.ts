import { faultPoint } from "#faults";
import { connectionNetworkFor } from "#lib/connections/network.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import type {
  JobRow,
  JobSource,
  RemoteSource,
  StoredSource,
  UrlSource,
} from "#lib/db/schema/jobs.ts";
import type { PartialFile } from "#lib/engines/partial/partial-file.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { detectFileType, detectReaderType } from "#lib/engines/sniff/detect-type.ts";
import { JobError } from "#lib/errors.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { type FetchedFile, type FileRequest, fetchToFile } from "#lib/net/fetch.ts";
import type { Network } from "#lib/net/network.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { RangesUnusableError } from "#lib/net/ranges/content-range.ts";
import { type OpenedFile, openOrFetch, saveOpened } from "#lib/net/ranges/open-file.ts";
import { onlyTrusted } from "#lib/net/redirects.ts";
import { type FileLimit, fileLimitOf, fileTooLargeMessage, plans } from "#lib/plans.ts";
import { storage } from "#lib/storage/index.ts";
import {
  fetchInput,
  isInConnection,
  nameOfReference,
  openInput,
  openInputRanges,
} from "../connections/input.ts";
import { isSecretPart } from "../secrets.ts";
import { inputIndexOf, nameInput, sourcesOf, storedBytes } from "../sources.ts";
import { type JobStep, stepsOf } from "../steps.ts";
import { attemptFolder, inputFolder, secretFolder } from "../storage-keys.ts";
import type { ClaimedJob } from "./claimed-job.ts";
import { acceptedTypesOf, requireAcceptedType } from "./inputs.ts";
import { inputNetworkFor } from "./networks.ts";
import {
  hasReadableParts,
  isPartialSize,
  openedFiles,
  openRanges,
  openRemoteFile,
} from "./partial-input.ts";
import { JobQuota } from "./quota.ts";

export type FetchedInputs = Pick<JobRow, "source" | "parts" | "input">;

interface Fetch {
  readonly job: JobRow;
  readonly limit: FileLimit | null;
  readonly quota: JobQuota;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly network: Network;
  readonly headers: NonNullable<FileRequest["headers"]>;
}

/** The headers that the operation adds to the requests for its inputs. */
function headersOf({ operation, params }: JobStep): Fetch["headers"] {
  return (hop) => operation.inputHeaders?.(params, hop) ?? {};
}

/**
 * Fetches the files of a job that were given by URL into storage, where its engine finds them. If the
 * operation reads its input in part, the input is only opened.
 */
export async function fetchInputs(
  claimed: ClaimedJob,
  signal: AbortSignal,
): Promise<FetchedInputs> {
  const { job, lease } = claimed;
  const account = await findAccount(db(), job.accountId);
  if (!account) throw new Error(`job ${job.id} has no account`);
  const plan = plans[account.plan];
  const steps = stepsOf(job);
  const quota = new JobQuota(claimed, plan, storedBytes(sourcesOf(job)));
  const work = WorkFolder.create(processPath(`${job.id}-${lease.token}`), { network: noNetwork });
  const limit = fileLimitOf(plan, job.maxFileBytes);
  const common = { job, limit, quota, work, signal, network: inputNetworkFor(job.plan) };
  try {
    const { accepts, partial } = steps[0].operation;
    const named = Object.keys(job.parts);
    const count = named.filter((part) => inputIndexOf(part) !== undefined).length + 1;
    const fetchMain = partial ? toReadable : toStored;
    const fetch = { ...common, headers: () => ({}) };
    const fetchInput = { ...common, headers: headersOf(steps[0]) };
    const { source: main } = job;
    const source =
      main.kind === "none"
        ? main
        : await nameInput(0, count, () => fetchMain(main, "file", accepts, fetchInput));
    const parts: Record<string, JobSource> = {};
    for (const [part, one] of Object.entries(job.parts)) {
      const index = inputIndexOf(part);
      parts[part] =
        index === undefined
          ? await namePart(part, toStored(one, part, acceptedTypesOf(steps, part), fetch))
          : await nameInput(index, count, () => toStored(one, part, accepts, fetchInput));
    }
    faultPoint("after-fetch", job.id);
    if (source.kind === "none") return { source, parts, input: job.input };
    const { filename, contentType, bytes } = source;
    return { source, parts, input: { filename, contentType, bytes, url: job.input.url } };
  } finally {
    await work.remove();
  }
}

/** Adds the name of the part to the message of a failure. */
async function namePart<Result>(part: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    const name = part.split("-").at(-1);
    throw new JobError(error.code, `\`${name}_url\`: ${error.message}`, { cause: error });
  }
}

/** Opens a file that can be read in part, and stores any other. */
async function toReadable(
  source: JobSource,
  part: string,
  accepts: readonly MediaTypeId[],
  fetch: Fetch,
): Promise<StoredSource | RemoteSource> {
  if (source.kind === "remote") return source;
  if (source.kind === "stored" || source.whole) return toStored(source, part, accepts, fetch);
  if (isInConnection(source.url)) return toReadableOfConnection(source, part, accepts, fetch);
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
async function toReadableOfConnection(
  source: UrlSource,
  part: string,
  accepts: readonly MediaTypeId[],
  fetch: Fetch,
): Promise<StoredSource | RemoteSource> {
  const { job, signal } = fetch;
  const network = connectionNetworkFor(job.plan);
  const opened = await openInput(job, source.url, signal, async ({ url, headers }) => {
    const request = { ...requestOf(url, fetch), headers: onlyTrusted(headers) };
    const found = await withinLimit(fetch.limit, () => openOrFetch(request, network));
    return { found, request };
  });
  if (!opened) return toReadableByRanges(source, part, accepts, fetch);
  const { found, request } = opened;
  const file = { ...found, filename: nameOfReference(source.url) };
  if (!("head" in file)) return store(file, request.path, part, accepts, fetch, source.url);
  const remote = await openInPart(file, accepts, { ...fetch, network });
  if (remote) return { ...remote, url: source.url, finalUrl: source.url };
  return toStored(source, part, accepts, fetch);
}

/** The same for a file whose store has no HTTP. */
async function toReadableByRanges(
  source: UrlSource,
  part: string,
  accepts: readonly MediaTypeId[],
  fetch: Fetch,
): Promise<StoredSource | RemoteSource> {
  const { job, limit, signal } = fetch;
  const ranges = await openInputRanges(job, source.url, signal);
  const { bytes = 0, version: etag } = ranges ?? {};
  if (!ranges || !isPartialSize(bytes) || bytes > (limit?.bytes ?? bytes)) {
    await ranges?.close();
    return toStored(source, part, accepts, fetch);
  }
  const file = await openRanges(ranges);
  const { url } = source;
  const found = { url, finalUrl: url, filename: nameOfReference(url), bytes, etag: etag ?? "" };
  const remote = await keepInPart(file, found, accepts, fetch);
  return remote ?? toStored(source, part, accepts, fetch);
}

/** Opens a file to read it in part. Returns undefined if it must be fetched as a whole. */
async function openInPart(
  opened: OpenedFile,
  accepts: readonly MediaTypeId[],
  fetch: Fetch,
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
  { job, quota, signal }: Fetch,
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

async function toStored(
  source: JobSource,
  part: string,
  accepts: readonly MediaTypeId[],
  fetch: Fetch,
): Promise<StoredSource> {
  if (source.kind === "stored") return source;
  const { network, job, limit } = fetch;
  const request = requestOf(source.url, fetch);
  const fetched = await withinLimit(limit, () =>
    isInConnection(source.url)
      ? fetchInput(job, source.url, request)
      : fetchToFile(request, network),
  );
  return store(fetched, request.path, part, accepts, fetch, source.url);
}

function requestOf(url: string, { job, limit, quota, work, signal, headers }: Fetch): FileRequest {
  return {
    url,
    path: work.scratch("bin").path,
    maxBytes: limit?.bytes ?? Number.MAX_SAFE_INTEGER,
    signal,
    headers,
    onSize: (bytes) => {
      faultPoint("while-fetching", job.id);
      return quota.reserve(bytes);
    },
  };
}

async function store(
  fetched: FetchedFile,
  path: string,
  part: string,
  accepts: readonly MediaTypeId[],
  { job, quota }: Fetch,
  source?: string,
): Promise<StoredSource> {
  await quota.reserve(fetched.bytes);
  quota.addRead(fetched.bytes);
  const { filename, requestedUrl, finalUrl: url, contentType, charset, bytes, sha256 } = fetched;
  const type = await detectFileType(path, { filename, ...(contentType ? { contentType } : {}) });
  requireAcceptedType(type, accepts);
  const folder = isSecretPart(part) ? secretFolder(job.id) : inputFolder(job.id);
  const key = `${attemptFolder(folder, job)}/${part}`;
  await storage().putFile(key, path);
  const declared = charset ? { charset } : {};
  const redirected = requestedUrl === url ? {} : { requestedUrl };
  // The URL of a file in a connection has a signature, and nothing can be loaded relative to it.
  const found =
    source !== undefined && isInConnection(source) ? { reference: source } : { url, ...redirected };
  const stored = { key, filename, contentType: type.mime, bytes, sha256, ...found };
  return { kind: "stored", ...stored, ...declared };
}

/** The fetcher enforces a limit in bytes. Only here is it known whose limit it is. */
async function withinLimit<Result>(
  limit: FileLimit | null,
  fetching: () => Promise<Result>,
): Promise<Result> {
  try {
    return await fetching();
  } catch (error) {
    const isTooLarge = error instanceof JobError && error.code === "too_large";
    if (!isTooLarge || limit === null) throw error;
    throw new JobError("too_large", fileTooLargeMessage(limit), { cause: error });
  }
}
