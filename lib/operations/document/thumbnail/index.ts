import { z } from "zod";
import { type PdfPageSize, readPageSizes, readPdfInfo } from "#lib/engines/pdf/qpdf.ts";
import { renderedSize, renderPages, resolutionFor } from "#lib/engines/pdf/render-pages.ts";
import { fileToPdf } from "#lib/engines/to-pdf/file-to-pdf.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "../../define.ts";
import { officeDocuments } from "../../fields/index.ts";

/** Longer images would be strips that no one can use as a thumbnail. */
const maxHeight = 16_384;

export const documentThumbnail = defineOperation({
  id: "document/thumbnail",
  title: "Document thumbnail",
  summary: "Make an image of one page of a PDF, an office document or an HTML page.",
  accepts: ["pdf", ...officeDocuments, "html"],
  params: z.strictObject({
    width: z
      .number()
      .int()
      .min(16)
      .max(4096)
      .default(400)
      .meta({ description: "Width of the image. Its height follows from the page.", unit: "px" }),
    page: z.number().int().min(1).max(100_000).default(1).describe("Number of the page."),
  }),
  example: { width: 320 },
  sample: { input: "report.docx", params: {} },
  produces: () => "png",
  runsIn: "runner",
  requires: ["poppler", "libreoffice", "chromium"],
  async run({ input, params, work, signal, progress }) {
    const { page } = params;
    const isWhole = input.type.id === "pdf" || input.type.id === "html";
    // Of an office document, only the page itself is exported.
    const file = await fileToPdf(input, work, signal, {
      officePages: isWhole ? "" : `${page}`,
    }).catch((error: unknown) => {
      throw isEmpty(error) ? missingPage(page) : error;
    });
    progress(50);
    const number = isWhole ? page : 1;
    const { pages, pageSizes } = await readPdfInfo(file, work, signal);
    if (pages < number) throw missingPage(page, pages);
    const size =
      pageSizes[number - 1] ??
      (await readPageSizes(file, [number, number], work, signal)).get(number);
    if (!size) throw new JobError("corrupt", "The page has no size.");
    const dpi = fitWidth(size, params.width);
    const output = work.output("png");
    const request = { file, span: [number, number], dpi, format: "png" } as const;
    const rendered = await renderPages({ ...request, allocate: () => output }, work, signal);
    if (!rendered.has(number)) throw new JobError("corrupt", "The page is damaged.");
    return { outputs: [{ ...output, ...renderedSize(size, dpi) }] };
  },
});

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
