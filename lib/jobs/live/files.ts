import { link, rename } from "node:fs/promises";
import type { LiveSource } from "#lib/db/schema/live-task.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { detectFileType } from "#lib/engines/sniff/detect-type.ts";
import { JobError } from "#lib/errors.ts";
import { copyToNew, statRegular } from "#lib/files/regular-files.ts";
import { type MediaTypeId, mediaTypeOfExtension } from "#lib/media/types.ts";
import type { InputFile, OutputFile } from "#lib/operations/define.ts";
import { storage } from "#lib/storage/index.ts";
import { requireAcceptedType } from "../run/inputs/accepted-types.ts";

/** Gets a stored file into a work folder, as an input of an operation that accepts these types. */
export async function gatherSource(
  { key, version, filename, contentType }: LiveSource,
  accepts: readonly MediaTypeId[] | undefined,
  work: WorkFolder,
): Promise<InputFile> {
  const copy = work.scratch("bin");
  await storage().getFile(key, copy.path, version);
  const { size } = await statRegular(copy.path);
  if (size === 0) throw new JobError("empty", "The file is empty.");
  const type = await detectFileType(copy.path, { filename, contentType });
  if (accepts) requireAcceptedType(type, accepts);
  const file = work.input(type.extension);
  await rename(copy.path, file.path);
  return { ...file, type, bytes: size, filename };
}

/** An output as the input of another operation in the same work folder. */
export async function outputToInput(output: OutputFile, work: WorkFolder): Promise<InputFile> {
  const file = work.input(output.extension);
  await rename(output.path, file.path);
  const { size } = await statRegular(file.path);
  const type = mediaTypeOfExtension(output.extension);
  return { ...file, type, bytes: size, filename: `preview.${output.extension}` };
}

/** The same file as an input in another work folder, which an engine cannot change: inputs are read-only. */
export async function linkInput(input: InputFile, work: WorkFolder): Promise<InputFile> {
  const file = work.input(input.extension);
  await link(input.path, file.path).catch(() => copyToNew(input.path, file.path));
  return { ...input, ...file };
}
