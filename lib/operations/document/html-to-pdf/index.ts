import { z } from "zod";
import { type PrintRequest, printDocument } from "#lib/engines/chromium/chromium.ts";
import { readPageDocument } from "#lib/engines/chromium/read-document.ts";
import { countPages } from "#lib/engines/pdf/count-pages.ts";
import { defineOperation } from "../../define.ts";
import { normalizePageRanges, pageRanges } from "../../fields/index.ts";
import {
  hasContentArea,
  layOutPage,
  margin,
  type PageMargins,
  pageSize,
  parseMargin,
  parsePageSize,
} from "./page-layout.ts";

const params = z
  .strictObject({
    page_size: pageSize,
    margin,
    landscape: z.boolean().default(false).describe("Whether the page is wider than high."),
    print_background: z
      .boolean()
      .default(true)
      .describe("Whether background colors and images are printed."),
    scale: z
      .number()
      .min(0.1)
      .max(2)
      .default(1)
      .meta({ description: "Scale of the content. 1 is its normal size.", control: "slider" }),
    page_ranges: pageRanges,
    header_html: marginHtml("top"),
    footer_html: marginHtml("bottom"),
  })
  .refine(({ page_size, landscape, margin }) => hasRoom(page_size, landscape, margin), {
    path: ["margin"],
    error: "must leave at least 5mm of the page in width and height",
  });

export const htmlToPdf = defineOperation({
  id: "document/html-to-pdf",
  title: "HTML to PDF",
  summary: "Print an HTML file or a web page as a PDF.",
  accepts: ["html"],
  params,
  example: { page_size: "A4", margin: "15mm", landscape: false },
  sample: { input: "invoice.html", params: { page_size: "A4", margin: "2cm" } },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["chromium"],
  async run({ input, params, work, signal }) {
    const { limits } = work;
    const output = work.output("pdf");
    await printDocument({
      document: await readPageDocument(input, limits),
      ...toPrintSettings(params),
      output: output.path,
      limits,
      signal,
    });
    return { outputs: [{ ...output, pages: await countPages(output.path) }] };
  },
});

function marginHtml(edge: "top" | "bottom") {
  return z
    .string()
    .max(20_000)
    .optional()
    .meta({
      description:
        `HTML that is printed in the ${edge} margin of every page. Elements with the class ` +
        "pageNumber, totalPages, date, title or url are filled in. Scripts do not run, and no " +
        "images, fonts or styles are loaded.",
      control: "textarea",
    });
}

function toPrintSettings(
  options: z.output<typeof params>,
): Pick<PrintRequest, "paper" | "options"> {
  const { header_html: header, footer_html: footer, page_ranges: ranges } = options;
  const margins = parseMargin(options.margin);
  if (!margins) throw new Error("the margin was not validated");
  return {
    paper: { ...layOutPage(options.page_size, options.landscape), margins },
    options: {
      printBackground: options.print_background,
      scale: options.scale,
      generateTaggedPDF: true,
      generateDocumentOutline: true,
      ...(ranges ? { pageRanges: normalizePageRanges(ranges) } : {}),
      displayHeaderFooter: Boolean(header || footer),
      headerTemplate: marginTemplate(header, margins),
      footerTemplate: marginTemplate(footer, margins),
    },
  };
}

/**
 * A header or footer as wide as the page's content. By default Chromium renders these in a font of
 * size 0 and without backgrounds.
 */
function marginTemplate(html: string | undefined, { right, left }: PageMargins): string {
  const sides = `0 ${right}in 0 ${left}in`;
  return `<div style="font-size:10px;width:100%;margin:${sides};print-color-adjust:exact">${html ?? ""}</div>`;
}

/** Also true if the size or the margins are invalid, so that a request gets only one error message. */
function hasRoom(size: string, landscape: boolean, marginText: string): boolean {
  const margins = parseMargin(marginText);
  if (!margins || !parsePageSize(size)) return true;
  return hasContentArea(layOutPage(size, landscape), margins);
}
