import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNull } from "@cantoo/pdf-lib";
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
  return translateStructureErrors(async () => {
    const document = await PDFDocument.load(bytes, {
      updateMetadata: false,
      warnOnInvalidObjects: false,
      preserveXFA: true,
      parseSpeed: Number.POSITIVE_INFINITY,
    });
    removeGaps(document);
    return document;
  });
}

/** Removes objects that do not exist from the page tree: qpdf and poppler do not read the pages next to them. */
function removeGaps({ context }: PDFDocument): void {
  for (const [, node] of context.enumerateIndirectObjects()) {
    if (!(node instanceof PDFDict) || node.get(PDFName.of("Type")) !== PDFName.of("Pages"))
      continue;
    const kids = node.lookup(PDFName.of("Kids"));
    if (!(kids instanceof PDFArray)) continue;
    for (let index = kids.size() - 1; index >= 0; index--) {
      const kid = kids.lookup(index);
      if (kid === undefined || kid === PDFNull) kids.remove(index);
    }
  }
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
