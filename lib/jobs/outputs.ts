import { stat } from "node:fs/promises";
import type { JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import type { InputFile, OutputFile } from "#lib/operations/define.ts";
import { storage } from "#lib/storage/index.ts";

/** Stores what a job made, under names derived from the job, so that a second try overwrites the first. */
export async function storeOutputs(
  job: JobRow,
  input: InputFile,
  outputs: readonly OutputFile[],
): Promise<JobOutput[]> {
  const stored: JobOutput[] = [];
  for (const [index, output] of outputs.entries()) {
    const key = `${outputFolder(job.id)}/${index}`;
    const { size } = await stat(output.path);
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

/** The input's name with the output's extension: `report.docx` becomes `report.pdf`. */
export function outputName(inputName: string, output: OutputFile): string {
  const dot = inputName.lastIndexOf(".");
  const stem = (dot > 0 ? inputName.slice(0, dot) : inputName) || "output";
  return `${stem}${output.suffix ?? ""}.${output.extension}`;
}
