import { rename } from "node:fs/promises";
import { connectionNetworkFor } from "#lib/connections/network.ts";
import type { JobRow, JobSource, RemoteSource, StoredSource } from "#lib/db/schema/jobs.ts";
import type { PartialFile } from "#lib/engines/partial/partial-file.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { detectFileType } from "#lib/engines/sniff/detect-type.ts";
import { JobError } from "#lib/errors.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { RangesUnusableError } from "#lib/net/ranges/content-range.ts";
import { onlyTrusted } from "#lib/net/redirects.ts";
import type { InputFile } from "#lib/operations/define.ts";
import { nameInput } from "#lib/operations/shared/inputs/name-input.ts";
import { storage } from "#lib/storage/index.ts";
import { isInConnection, locateInput, openInputRanges } from "../../connections/input.ts";
import type { JobStep } from "../../job-steps.ts";
import { inputIndexOf } from "../../sources.ts";
import { inputNetworkFor } from "../claim/networks.ts";
import { acceptedTypesOf, requireAcceptedType } from "./accepted-types.ts";
import {
  isPartialSize,
  openedFiles,
  openRanges,
  openRemoteFile,
  openStoredFile,
  type ServedInput,
  serveInput,
} from "./partial-input.ts";

export interface GatheredInputs {
  /** The files of `input` or `inputs`, in order. */
  readonly inputs: readonly InputFile[];
  readonly files: Record<string, InputFile>;
  /** The input that is read in part; see `ServedInput`. */
  readonly served: ServedInput | undefined;
  /** Bytes of all files together: what the job uses of the quota. */
  usedBytes(): number;
}

/**
 * Gets every stored file of a job into its work folder and detects its type from its content. A file
 * that the operation reads in part is served to its engines; `whole`: not if it is in storage.
 */
export async function gatherInputs(
  steps: readonly [JobStep, ...JobStep[]],
  job: JobRow,
  work: WorkFolder,
  { whole, signal }: { readonly whole: boolean; readonly signal: AbortSignal },
): Promise<GatheredInputs> {
  const { operation } = steps[0];
  const { source, parts } = job;
  const further = Object.entries(parts).filter(([part]) => inputIndexOf(part) !== undefined);
  const count = further.length + 1;
  const files: Record<string, InputFile> = {};
  for (const [part, one] of Object.entries(parts)) {
    if (inputIndexOf(part) !== undefined) continue;
    files[part] = await gather(one, acceptedTypesOf(steps, part), work);
  }
  const { partial, accepts } = operation;
  const served = partial && !whole ? await serve(job, accepts, work, signal) : undefined;
  const inputs: InputFile[] = served ? [served.input] : [];
  if (!served && source.kind !== "none") {
    for (const one of [source, ...further.map(([, part]) => part)]) {
      const input = await nameInput(inputs.length, count, () => gather(one, accepts, work));
      inputs.push(input);
    }
  }
  const bytesOf = (all: readonly InputFile[]) => all.reduce((sum, { bytes }) => sum + bytes, 0);
  // An upload was received as a whole, so all of it counts.
  const isRemote = source.kind === "remote";
  const usedBytes = () =>
    bytesOf(Object.values(files)) +
    (served && isRemote ? served.file.receivedBytes : bytesOf(inputs));
  return { inputs, files, served, usedBytes };
}

/** Serves an input. Returns undefined if it is not read in part. */
async function serve(
  job: JobRow,
  accepts: readonly MediaTypeId[],
  work: WorkFolder,
  signal: AbortSignal,
): Promise<ServedInput | undefined> {
  const { source } = job;
  const opened = openedFiles.take(job.id);
  const isWhole = (stored: StoredSource) => storage().linksFiles || !isPartialSize(stored.bytes);
  if (source.kind === "none") return undefined;
  if (source.kind === "url" || (source.kind === "stored" && isWhole(source))) {
    await opened?.close();
    return undefined;
  }
  const file =
    opened ??
    (await (source.kind === "remote" ? openRemote(job, source, signal) : openStoredFile(source)));
  const served = await serveInput(file, source, work, signal);
  if (!served && source.kind === "remote") throw new RangesUnusableError("its type has changed");
  try {
    if (served) requireAcceptedType(served.input.type, accepts);
    return served;
  } catch (error) {
    await served?.close();
    throw error;
  }
}

async function openRemote(
  job: JobRow,
  source: RemoteSource,
  signal: AbortSignal,
): Promise<PartialFile> {
  if (!isInConnection(source.url)) return openRemoteFile(source, inputNetworkFor(job.plan));
  const located = await locateInput(job, source.url, signal);
  if (!located) return openRangesAgain(job, source, signal);
  const { url, headers } = located;
  const file = { ...source, url, finalUrl: url, headers: onlyTrusted(headers) };
  return openRemoteFile(file, connectionNetworkFor(job.plan));
}

async function openRangesAgain(
  job: JobRow,
  { url, bytes, etag }: RemoteSource,
  signal: AbortSignal,
): Promise<PartialFile> {
  const ranges = await openInputRanges(job, url, signal);
  if (ranges?.version === etag && ranges?.bytes === bytes) return openRanges(ranges);
  await ranges?.close();
  throw new RangesUnusableError("the file or its store has changed");
}

async function gather(
  source: JobSource,
  accepts: readonly MediaTypeId[],
  work: WorkFolder,
): Promise<InputFile> {
  if (source.kind !== "stored") throw new Error("an input was not fetched");
  const copy = work.scratch("bin");
  await storage().getFile(source.key, copy.path);
  const { size } = await statRegular(copy.path);
  if (size === 0) throw new JobError("empty", "The file is empty.");
  const { filename, contentType, url, requestedUrl, charset, sha256 } = source;
  const type = await detectFileType(copy.path, { filename, contentType });
  requireAcceptedType(type, accepts);
  const file = work.input(type.extension);
  await rename(copy.path, file.path);
  return {
    ...file,
    type,
    bytes: size,
    filename,
    ...(url ? { url } : {}),
    ...(requestedUrl ? { requestedUrl } : {}),
    ...(charset ? { charset } : {}),
    ...(sha256 ? { sha256 } : {}),
  };
}
