import { PDFDocument } from "@cantoo/pdf-lib";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular } from "#lib/files/regular-files.ts";
import {
  exceedsProgramLimits,
  isDamagedData,
  isThrownIn,
  thrownAt,
} from "#lib/media/damaged-data.ts";

/** Opens PDF files with pdf-lib, in a worker. */

const damaged = "The file is damaged or is not a PDF.";

/** Reads a PDF. Throws `JobError` `corrupt`. */
export async function openDocument(file: WorkFile): Promise<PDFDocument> {
  const bytes = await readRegular(file.path);
  return PDFDocument.load(bytes, {
    updateMetadata: false,
    warnOnInvalidObjects: false,
    preserveXFA: true,
    parseSpeed: Number.POSITIVE_INFINITY,
  }).catch((cause: unknown) => {
    throw isPdfDamage(cause) ? new JobError("corrupt", damaged, { cause }) : cause;
  });
}

/**
 * Whether `error` of pdf-lib, or of what reads its objects, means that the PDF is damaged: a type that the
 * standard forbids, a loop of references, or a stream that ends early. pdf-lib calls methods that an object
 * of another type lacks, so that its own TypeErrors are about the file, except those about its arguments.
 */
export function isPdfDamage(error: unknown): boolean {
  const isOfReader =
    isThrownIn(error, "@cantoo/pdf-lib") && !/\bvalidators\b/.test(thrownAt(error));
  return isOfReader || isDamagedData(error) || exceedsProgramLimits(error);
}

/** Runs `read`. What the PDF has and the standard forbids is `JobError("corrupt")`. */
export async function translateStructureErrors<Result>(
  read: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    throw isPdfDamage(cause) ? new JobError("corrupt", damaged, { cause }) : cause;
  }
}
