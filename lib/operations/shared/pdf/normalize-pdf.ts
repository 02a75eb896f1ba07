import { runQpdf } from "#lib/engines/pdf/run-qpdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

export interface NormalizedPdf extends WorkFile {
  /** Whether the input is encrypted, with or without a password to open. */
  readonly encrypted: boolean;
}

/**
 * Writes a copy that the readers of PDF objects need: decrypted (if no password is needed), with the file
 * structure repaired, a cross-reference table and no object streams. With `flatPages`, the page tree has
 * one level; deep ones keep some programs busy for hours. With `plainFilters`, all data but that of
 * pictures has the filter FlateDecode. Runs qpdf in `work` and throws what it throws.
 */
export async function normalizePdf(
  input: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
  { flatPages = false, plainFilters = false } = {},
): Promise<NormalizedPdf> {
  const output = work.scratch("pdf");
  const pages = flatPages ? ["--pages", ".", "1-z", "--"] : [];
  const streams = plainFilters
    ? ["--stream-data=compress", "--recompress-flate"]
    : ["--stream-data=preserve"];
  const options = ["--decrypt", "--object-streams=disable", ...streams];
  const args = [...options, input, ...pages];
  const { encrypted } = await runQpdf({ args, output }, work, signal);
  return { ...output, encrypted };
}
