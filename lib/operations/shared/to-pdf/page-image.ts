import { type PdfPageSize, readPageSizes, readPdfInfo } from "#lib/engines/pdf/qpdf.ts";
import { renderedSize, renderPages, resolutionFor } from "#lib/engines/pdf/render-pages.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { InputFile } from "#lib/engines/worker/operation.ts";
import { JobError } from "#lib/errors.ts";
import { fileToPdf } from "./file-to-pdf.ts";

/** Longer images would be strips that no one can use as a thumbnail. */
const maxHeight = 16_384;

export interface PageImage {
  /** The first one is 1. */
  readonly page: number;
  /** The width in pixels. */
  readonly width: number;
}

/**
 * Writes a page of a document that `fileToPdf` converts as a PNG. Throws `JobError`: `empty` if it has no
 * such page, and what `fileToPdf` and `renderPages` throw.
 */
export async function renderPageImage(
  input: InputFile,
  { page, width }: PageImage,
  output: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile & { readonly width: number; readonly height: number }> {
  const isWhole = input.type.id === "pdf" || input.type.id === "html";
  // Of an office document, only the page itself is exported.
  const file = await fileToPdf(input, work, signal, {
    officePages: isWhole ? "" : `${page}`,
  }).catch((error: unknown) => {
    throw isEmpty(error) ? missingPage(page) : error;
  });
  const number = isWhole ? page : 1;
  const { pages, pageSizes } = await readPdfInfo(file, work, signal);
  if (pages < number) throw missingPage(page, pages);
  const size =
    pageSizes[number - 1] ??
    (await readPageSizes(file, [number, number], work, signal)).get(number);
  if (!size) throw new JobError("corrupt", "The page has no size.");
  const dpi = fitWidth(size, width);
  const request = { file, span: [number, number], dpi, format: "png" } as const;
  const rendered = await renderPages({ ...request, allocate: () => output }, work, signal);
  if (!rendered.has(number)) throw new JobError("corrupt", "The page is damaged.");
  return { ...output, ...renderedSize(size, dpi) };
}

function isEmpty(error: unknown): boolean {
  return error instanceof JobError && error.code === "empty";
}

function missingPage(page: number, pages?: number): JobError {
  const last = pages === undefined ? "" : ` Its last page is ${pages}.`;
  return new JobError("empty", `The document has no page ${page}.${last}`);
}

/** The resolution for `width`; a page that is too long for it gets a narrower image. */
function fitWidth(page: PdfPageSize, width: number): number {
  const height = (width * page.height) / page.width;
  const fitting = Math.floor(width * Math.min(1, maxHeight / height));
  return resolutionFor(Math.max(1, fitting), page.width);
}
