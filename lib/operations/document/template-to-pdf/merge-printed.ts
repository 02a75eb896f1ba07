import { rename } from "node:fs/promises";
import type { PrintedFile } from "#lib/engines/chromium/print-to-pdf.ts";
import { runQpdf } from "#lib/engines/pdf/run-qpdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import type { OutputFile } from "#lib/engines/worker/operation.ts";
import { type PdfInfo, writePdfInfo } from "#lib/formats/pdf/write-info.ts";
import { mergeFiles } from "../../shared/pdf/pages/worker-functions.ts";

/** Joins PDF files that Chromium has written, which need no repair, with a bookmark for each. */
export async function mergePrinted(
  files: readonly PrintedFile[],
  info: PdfInfo | undefined,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<OutputFile> {
  const [first, ...others] = files;
  // The merged file gets the properties of the first.
  const described = first && info ? await setProperties(first, info, work, signal) : first;
  const inputs = described ? [described, ...others] : others;
  const { outputs } = await callInWorker(mergeFiles, {
    files: inputs,
    options: { titles: files.map((_, index) => `${index + 1}`) },
    work,
    signal,
    timeoutMs: work.limits.pdfSeconds * 1000,
  });
  const [merged] = outputs;
  if (!merged) throw new Error("the worker wrote no PDF");
  const output = work.output("pdf");
  await rename(merged.path, output.path);
  return { ...output, pages: files.reduce((sum, { pages }) => sum + pages, 0) };
}

/** A copy with these properties, in which the update of the file is merged into its table of objects. */
async function setProperties(
  file: PrintedFile,
  info: PdfInfo,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  await writePdfInfo(file.path, info);
  const copy = work.scratch("pdf");
  const args = ["--object-streams=disable", "--stream-data=preserve", file];
  await runQpdf({ args, output: copy }, work, signal);
  return copy;
}
