import { faultPoint } from "#faults";
import type { JobRow, JobSource, StoredSource } from "#lib/db/schema/jobs.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { detectFileType } from "#lib/engines/sniff/detect-type.ts";
import { JobError } from "#lib/errors.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { type FetchedFile, type FileRequest, fetchToFile } from "#lib/net/fetch.ts";
import type { Network } from "#lib/net/network.ts";
import { isSecretPart } from "#lib/operations/secret-values.ts";
import { type FileLimit, fileTooLargeMessage } from "#lib/plans.ts";
import { storage } from "#lib/storage/index.ts";
import { fetchInput, isInConnection } from "../../connections/input.ts";
import { attemptFolder, inputFolder, secretFolder } from "../../storage-keys.ts";
import type { JobQuota } from "../claim/quota.ts";
import { requireAcceptedType } from "./accepted-types.ts";

/** How one file of a job is fetched. */
export interface InputFetch {
  readonly job: JobRow;
  readonly limit: FileLimit | null;
  readonly quota: JobQuota;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly network: Network;
  readonly headers: NonNullable<FileRequest["headers"]>;
}

/** Fetches a file into storage, unless it is there. */
export async function fetchWhole(
  source: JobSource,
  part: string,
  accepts: readonly MediaTypeId[],
  fetch: InputFetch,
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

export function requestOf(
  url: string,
  { job, limit, quota, work, signal, headers }: InputFetch,
): FileRequest {
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

/** Puts a file that was fetched to `path` into storage. `source`: the reference if it is a file in a connection. */
export async function store(
  fetched: FetchedFile,
  path: string,
  part: string,
  accepts: readonly MediaTypeId[],
  { job, quota }: InputFetch,
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
export async function withinLimit<Result>(
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
