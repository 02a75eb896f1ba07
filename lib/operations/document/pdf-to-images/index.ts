import { z } from "zod";
import { readPageUnits } from "#lib/engines/pdf/page-units.ts";
import { readPageInfo } from "#lib/engines/pdf/qpdf.ts";
import { renderPages } from "#lib/engines/pdf/render-pages.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { convertImage } from "#lib/engines/worker/image/convert-image.ts";
import type { Suffix } from "#lib/engines/worker/operation.ts";
import { JobError } from "#lib/errors.ts";
import { mediaType } from "#lib/media/types.ts";
import { defineOperation, type OutputFile } from "../../define.ts";
import { type PageSpan, selectedPages, selectPages } from "../../fields/index.ts";
import { maxPages, readImageSizes } from "./limit-pixels.ts";

/** Pages that one process renders; progress is reported after each. */
const pagesPerRun = 5;

export const pdfToImages = defineOperation({
  id: "document/pdf-to-images",
  title: "PDF to images",
  summary: "Render the pages of a PDF as images.",
  accepts: ["pdf"],
  params: z.strictObject({
    dpi: z
      .number()
      .int()
      .min(10)
      .max(1200)
      .default(150)
      .describe(
        `Resolution, in pixels per inch: 72 for previews, 300 for print. A job makes at most ${maxPages} images of at most 100 megapixels each.`,
      ),
    format: z
      .enum(["png", "jpeg", "webp", "tiff"])
      .default("png")
      .describe("Format of the images. PNG and TIFF are lossless."),
    pages: selectedPages("Pages to render"),
  }),
  example: { dpi: 96, format: "png", pages: "1" },
  sample: { input: "contract.pdf", params: { dpi: 96 } },
  produces: (_type, { format }) => format,
  runsIn: "runner",
  requires: ["poppler", "qpdf", "image"],
  async run({ input, params, work, signal, progress }) {
    const { dpi, format } = params;
    const info = await readPageInfo(input, work, signal);
    const spans = selectPages(params.pages, info.pages);
    const unitOf = await readPageUnits(input, work, signal);
    const sizes = await readImageSizes(input, info, spans, { dpi, unitOf }, work, signal);
    const last = spans.at(-1)?.[1] ?? 1;
    const { extension } = mediaType(format);
    const outputs: OutputFile[] = [];
    const missing: number[] = [];
    for (const span of splitSpans(spans, unitOf)) {
      const isConverted = format === "webp";
      const allocate = () => (isConverted ? work.scratch("png") : work.output(extension));
      const request = { file: input, span, dpi: dpi * unitOf(span[0]), allocate } as const;
      const images = await renderPages(
        { ...request, format: isConverted ? "png" : format },
        work,
        signal,
      );
      for (const page of pagesOf(span)) {
        const image = images.get(page);
        if (!image) missing.push(page);
        else outputs.push({ ...(await finish(image, page)), suffix: suffixOf(page, last) });
      }
      progress((100 * (outputs.length + missing.length)) / sizes.size);
    }
    if (outputs.length === 0) throw new JobError("corrupt", "No page could be rendered.");
    const warnings = missing.map((page) => `Page ${page} is damaged and could not be rendered.`);
    return { outputs, warnings };

    async function finish(image: WorkFile, page: number): Promise<OutputFile> {
      if (format !== "webp") return { ...image, ...sizes.get(page) };
      const conversion = { format, background: "#ffffff" } as const;
      return convertImage(image, conversion, work, signal);
    }
  },
});

/**
 * The suffix of a page such as `-page-7`, with as many digits as the last page has, so that the
 * files are in order by name.
 */
function suffixOf(page: number, last: number): Suffix {
  return `-page-${`${page}`.padStart(`${last}`.length, "0")}`;
}

function pagesOf([first, last]: PageSpan): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The pages in runs of the renderer, which has one resolution for pages of one unit. */
function splitSpans(spans: readonly PageSpan[], unitOf: (page: number) => number): PageSpan[] {
  const runs: [first: number, last: number][] = [];
  for (const page of spans.flatMap(pagesOf)) {
    const run = runs.at(-1);
    const follows = run && run[1] === page - 1 && page - run[0] < pagesPerRun;
    if (follows && unitOf(page) === unitOf(run[0])) run[1] = page;
    else runs.push([page, page]);
  }
  return runs;
}
