import { runPdfEngine } from "#lib/engines/pdf/run-pdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

/**
 * Writes a copy that the readers of PDF objects need: decrypted (if no password is needed), with the file
 * structure repaired, a cross-reference table and no object streams. With `flatPages`, the page tree has
 * one level; deep ones keep some programs busy for hours. Runs qpdf in `work` and throws what it throws.
 */
export async function normalizePdf(
  input: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
  { flatPages = false } = {},
): Promise<WorkFile> {
  const output = work.scratch("pdf");
  const pages = flatPages ? ["--pages", ".", "1-z", "--"] : [];
  const options = ["--decrypt", "--object-streams=disable", "--stream-data=preserve"];
  await runPdfEngine("qpdf", work, signal, {
    command: "qpdf",
    args: [...options, input.name, ...pages, output.name],
  });
  return output;
}
