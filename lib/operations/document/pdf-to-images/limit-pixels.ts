import { scaleSize } from "#lib/engines/pdf/page-units.ts";
import {
  maxListedPages,
  type PdfInfo,
  type PdfPageSize,
  readPageSizes,
} from "#lib/engines/pdf/qpdf.ts";
import { renderedSize } from "#lib/engines/pdf/render-pages.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { formatAmount } from "#lib/limits/limits.ts";
import { countSelected, type PageSpan } from "../../fields/index.ts";

/** Each page is an output of the job. */
export const maxPages = 1000;

/** All pages together: 1,000 pages of A4 at 200 dpi. Rendering them takes some minutes. */
const maxTotalPixels = 4e9;

/**
 * The sizes of the images of the pages, by `info` or, if it does not list them all, read from the file.
 * `unitOf` has the points of a unit of each page.
 * Throws `JobError("too_complex")` if there are too many pages, or if one image or all together would be too
 * large at `dpi`.
 */
export async function readImageSizes(
  file: WorkFile,
  info: PdfInfo,
  spans: readonly PageSpan[],
  { dpi, unitOf }: { readonly dpi: number; readonly unitOf: (page: number) => number },
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Map<number, PdfPageSize>> {
  const count = countSelected(spans);
  if (count > maxPages) {
    const message = `The document has ${count} pages to render. At most ${maxPages} are possible: set \`pages\`.`;
    throw new JobError("too_complex", message);
  }
  // A page without a size would move those after it.
  const listed = info.pageSizes.length === Math.min(info.pages, maxListedPages);
  const sizesOf = async ([first, last]: PageSpan) =>
    listed && last <= info.pageSizes.length
      ? info.pageSizes.slice(first - 1, last).map((size, index) => [first + index, size] as const)
      : readPageSizes(file, [first, last], work, signal);
  const sizes = new Map<number, PdfPageSize>();
  let total = 0;
  for (const span of spans) {
    for (const [page, size] of await sizesOf(span)) {
      const image = renderedSize(scaleSize(size, unitOf(page)), dpi);
      sizes.set(page, image);
      const pixels = image.width * image.height;
      total += pixels;
      if (pixels > work.limits.imagePixels) {
        const found = formatAmount(pixels, "pixels");
        const max = formatAmount(work.limits.imagePixels, "pixels");
        const message = `Page ${page} would have ${found} at this resolution. At most ${max} are possible: set a lower \`dpi\`.`;
        throw new JobError("too_complex", message);
      }
    }
  }
  if (total > maxTotalPixels) {
    const max = formatAmount(maxTotalPixels, "pixels");
    const message = `The images would have more than ${max} together. Set a lower \`dpi\` or fewer \`pages\`.`;
    throw new JobError("too_complex", message);
  }
  return sizes;
}
