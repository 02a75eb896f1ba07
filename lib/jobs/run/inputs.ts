import { rename, stat } from "node:fs/promises";
import type { JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { sniffFile } from "#lib/media/sniff/sniff.ts";
import { describeTypes, type MediaType, type MediaTypeId } from "#lib/media/types.ts";
import { acceptsType, type InputFile } from "#lib/operations/define.ts";
import { storage } from "#lib/storage/index.ts";
import type { JobStep } from "./chain.ts";

export interface GatheredInputs {
  readonly input: InputFile;
  readonly files: Record<string, InputFile>;
  /** Bytes of all files together: what the job uses of the quota. */
  readonly bytes: number;
}

/** Gets every stored file of a job into its work folder and detects its type from its content. */
export async function gatherInputs(
  steps: readonly [JobStep, ...JobStep[]],
  job: JobRow,
  work: WorkFolder,
): Promise<GatheredInputs> {
  const input = await gather(job.source, steps[0].operation.accepts, work);
  const files: Record<string, InputFile> = {};
  let { bytes } = input;
  for (const [part, source] of Object.entries(job.parts)) {
    const file = await gather(source, acceptedTypesOf(steps, part), work);
    files[part] = file;
    bytes += file.bytes;
  }
  return { input, files, bytes };
}

/** The types that a file part accepts, by its stored name. */
export function acceptedTypesOf(steps: readonly JobStep[], part: string): readonly MediaTypeId[] {
  const step = steps.find(({ operation, prefix }) =>
    Object.keys(operation.files ?? {}).some((name) => part === prefix + name),
  );
  return step?.operation.files?.[part.slice(step.prefix.length)]?.accepts ?? [];
}

/** Throws `unsupported_type` if the operation does not accept the type. */
export function requireAcceptedType(type: MediaType, accepts: readonly MediaTypeId[]): void {
  if (acceptsType({ accepts }, type.id)) return;
  const actual = type.id === "unknown" ? "of an unknown type" : type.label;
  const message = `The file is ${actual}, but the operation accepts only ${describeTypes(accepts)}.`;
  throw new JobError("unsupported_type", message);
}

async function gather(
  source: JobSource,
  accepts: readonly MediaTypeId[],
  work: WorkFolder,
): Promise<InputFile> {
  if (source.kind === "url") throw new Error("an input was not fetched");
  const copy = work.scratch("bin");
  await storage().getFile(source.key, copy.path);
  const { size } = await stat(copy.path);
  if (size === 0) throw new JobError("empty", "The file is empty.");
  const { filename, contentType, url, charset, sha256 } = source;
  const type = await sniffFile(copy.path, { filename, contentType });
  requireAcceptedType(type, accepts);
  const file = work.input(type.extension);
  await rename(copy.path, file.path);
  return {
    ...file,
    type,
    bytes: size,
    filename,
    sha256,
    ...(url ? { url } : {}),
    ...(charset ? { charset } : {}),
  };
}
