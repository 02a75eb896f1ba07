import { stat } from "node:fs/promises";
import type { JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { type Caps, capError } from "#lib/media/caps.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import type { InputFile, OutputFile } from "#lib/operations/define.ts";
import { storage } from "#lib/storage/index.ts";

/** Stores what a try of a job made. Throws `JobError("too_large")` past the cap. */
export async function storeOutputs(
  job: JobRow,
  input: InputFile,
  outputs: readonly OutputFile[],
  { resultBytes }: Caps,
): Promise<JobOutput[]> {
  const stored: JobOutput[] = [];
  for (const [index, output] of outputs.entries()) {
    const key = `${tryFolder(outputFolder(job.id), job)}/${index}`;
    const { size } = await stat(output.path);
    if (size > resultBytes) throw capError("resultBytes", resultBytes);
    const { sha256 } = await storage().putFile(key, output.path);
    const { width, height, duration, pages } = output;
    stored.push({
      key,
      filename: outputName(input.filename, output),
      contentType: mediaTypeOfExtension(output.extension).mime,
      bytes: size,
      sha256,
      ...(width === undefined ? {} : { width }),
      ...(height === undefined ? {} : { height }),
      ...(duration === undefined ? {} : { duration }),
      ...(pages === undefined ? {} : { pages }),
    });
  }
  return stored;
}

export function outputFolder(jobId: string): string {
  return `outputs/${jobId}`;
}

export function inputFolder(jobId: string): string {
  return `inputs/${jobId}`;
}

/** Which try of a job, or of its fetch, this is; from 1 on. */
const tryNumber = (job: Pick<JobRow, "attempts" | "runnerDeaths">) =>
  job.attempts + job.runnerDeaths;

/**
 * Where a try keeps its files: a runner that was taken for dead and goes on writing writes over
 * nobody else's.
 */
export function tryFolder(folder: string, job: Pick<JobRow, "attempts" | "runnerDeaths">): string {
  return `${folder}/try-${tryNumber(job)}`;
}

/** Removes what the tries before the one that completed the job may have stored. */
export async function removeEarlierOutputs(job: JobRow): Promise<void> {
  for (let number = 1; number < tryNumber(job); number++) {
    await storage().removeAll(`${outputFolder(job.id)}/try-${number}`);
  }
}

/** The input's name with the output's extension: `report.docx` becomes `report.pdf`. */
export function outputName(inputName: string, output: OutputFile): string {
  const dot = inputName.lastIndexOf(".");
  const stem = (dot > 0 ? inputName.slice(0, dot) : inputName) || "output";
  return `${stem}${output.suffix ?? ""}.${output.extension}`;
}
