import { rm } from "node:fs/promises";
import { isLinearized } from "#lib/engines/pdf/qpdf.ts";
import { runPdfEngine } from "#lib/engines/pdf/run-pdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { writeNew } from "#lib/files/regular-files.ts";

/** Options of qpdf's job file, such as `{ decrypt: "" }`. */
export type QpdfJob = Readonly<Record<string, string | QpdfJobOptions>>;
interface QpdfJobOptions {
  readonly [name: string]: string | QpdfJobOptions;
}

/**
 * Rewrites `input` to `output` with qpdf, which reads its options from a file: passwords among them are
 * neither in the arguments of a process nor on the disk afterwards. Streams are copied unchanged, and a
 * linearized file stays linearized. Throws what `runPdfEngine` throws.
 */
export async function runQpdfJob(
  input: WorkFile,
  output: WorkFile,
  options: QpdfJob,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  const job = work.scratch("json");
  const linearize = (await isLinearized(input)) ? { linearize: "" } : {};
  const content = {
    inputFile: input.name,
    outputFile: output.name,
    streamData: "preserve",
    ...linearize,
    ...options,
  };
  try {
    await writeNew(job.path, JSON.stringify(content), 0o600);
    const args = [`--job-json-file=${job.name}`];
    await runPdfEngine("qpdf", work, signal, { command: "qpdf", args });
  } finally {
    await rm(job.path, { force: true });
  }
}
