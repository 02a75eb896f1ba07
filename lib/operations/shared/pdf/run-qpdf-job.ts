import { isLinearized } from "#lib/engines/pdf/qpdf.ts";
import { type QpdfJob, runQpdf } from "#lib/engines/pdf/run-qpdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

/**
 * Rewrites `input` to `output` with the options of a job file of qpdf, which go through a pipe: passwords
 * among them are neither in the arguments of a process nor on the disk. Streams are copied unchanged, and a
 * linearized file stays linearized. Throws what `runQpdf` throws.
 */
export async function runQpdfJob(
  input: WorkFile,
  output: WorkFile,
  options: QpdfJob,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  const linearize: QpdfJob = (await isLinearized(input)) ? { linearize: "" } : {};
  const job = { streamData: "preserve", ...linearize, ...options };
  await runQpdf({ job, input, output }, work, signal);
}
