import { JobError } from "#lib/errors.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import type { PdfPageSize } from "./qpdf.ts";
import { readUnits } from "./run-qpdf.ts";

/**
 * Returns the length of a unit of each page in points: 1 unless the page has a `UserUnit`, which poppler
 * ignores. Of a damaged file that only poppler can read, all units are points. Throws what `runQpdf`
 * throws otherwise.
 */
export async function readPageUnits(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<(page: number) => number> {
  const spans = await readUnits(file, work, signal).catch((error: unknown) => {
    if (error instanceof JobError && error.code === "corrupt") return [];
    throw error;
  });
  return (page) => spans.find(({ first, last }) => first <= page && page <= last)?.points ?? 1;
}

/** The size of a page in points, of which poppler has reported `size` in units of the page. */
export function scaleSize({ width, height }: PdfPageSize, points: number): PdfPageSize {
  // With as many decimals as poppler writes.
  const round = (length: number) => Number((length * points).toFixed(3));
  return points === 1 ? { width, height } : { width: round(width), height: round(height) };
}
