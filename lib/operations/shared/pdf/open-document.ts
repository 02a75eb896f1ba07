import { PDFDocument } from "@cantoo/pdf-lib";
import { runPdfEngine } from "#lib/engines/pdf/run-pdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular } from "#lib/files/regular-files.ts";
import {
  exceedsProgramLimits,
  isDamagedData,
  isPlainError,
  isThrownIn,
} from "#lib/media/damaged-data.ts";

/** Opens PDF files with pdf-lib, in a worker. */

const damaged = "The file is damaged or is not a PDF.";

/**
 * Writes a copy that pdf-lib can read: decrypted (if no password is needed), with the file structure
 * repaired and without object streams. With `flatPages`, the page tree has one level; deep ones keep
 * some programs busy for hours. Runs qpdf in `work` and throws what it throws.
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

/** Reads a PDF. Throws `JobError` `corrupt`. */
export async function openDocument(file: WorkFile): Promise<PDFDocument> {
  const bytes = await readRegular(file.path);
  return PDFDocument.load(bytes, {
    ...{ updateMetadata: false, warnOnInvalidObjects: false },
    ...{ preserveXFA: true, parseSpeed: Number.POSITIVE_INFINITY },
  }).catch((cause: unknown) => {
    throw isPdfDamage(cause) ? new JobError("corrupt", damaged, { cause }) : cause;
  });
}

/**
 * Whether `error` of pdf-lib, or of what reads its objects, means that the PDF is damaged: a type that the
 * standard forbids, a loop of references, or a stream that ends early.
 */
export function isPdfDamage(error: unknown): boolean {
  const isOfReader = isPlainError(error) && isThrownIn(error, "@cantoo/pdf-lib");
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
