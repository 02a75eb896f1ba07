import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { JobError } from "#lib/errors.ts";
import { readRegular } from "#lib/files/regular-files.ts";
import { isPlainError, isThrownIn } from "#lib/media/damaged-data.ts";

/** Opens a PDF with PDF.js. In a sandboxed worker only. Throws `JobError` (`corrupt`, `encrypted`). */
export async function openPdf(path: string): Promise<PDFDocumentProxy> {
  // Imported here: it is large, and only this task of a worker needs it.
  const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const folder = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  try {
    const loading = getDocument({
      data: new Uint8Array(await readRegular(path)),
      cMapUrl: join(folder, "cmaps/"),
      standardFontDataUrl: join(folder, "standard_fonts/"),
      wasmUrl: join(folder, "wasm/"),
      isEvalSupported: false,
      disableFontFace: true,
      isOffscreenCanvasSupported: false,
      verbosity: VerbosityLevel.ERRORS,
    });
    return await loading.promise;
  } catch (cause) {
    throw translate(cause);
  }
}

function translate(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  if (cause.name === "PasswordException") {
    const message = "The PDF is protected by a password. Remove the password and try again.";
    return new JobError("encrypted", message, { cause });
  }
  if (!isPdfjsError(cause)) return cause;
  return new JobError("corrupt", "The file is damaged or is not a PDF.", { cause });
}

/**
 * Whether PDF.js reports what it cannot read: by a class of its own, which also holds the errors of its
 * worker, or by a plain error.
 */
export function isPdfjsError(error: unknown): boolean {
  const isOfClass = error instanceof Error && /Exception$|^FormatError$/.test(error.name);
  return isOfClass || (isPlainError(error) && isThrownIn(error, "pdfjs-dist"));
}
