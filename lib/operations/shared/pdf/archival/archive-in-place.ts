import { rename } from "node:fs/promises";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { ArchivalLevel } from "#lib/formats/pdf/archival/levels.ts";
import { archivePdf } from "./archive-pdf.ts";

/**
 * Replaces a PDF file with its PDF/A file. Without a level it does nothing. Returns warnings that say what
 * was dropped. Throws like `archivePdf`.
 */
export async function archiveInPlace(
  file: WorkFile,
  level: ArchivalLevel | undefined,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<string[]> {
  if (!level) return [];
  const output = work.scratch("pdf");
  const { warnings } = await archivePdf({ input: file, output, level }, work, signal);
  await rename(output.path, file.path);
  return warnings;
}
