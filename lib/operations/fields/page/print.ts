import { z } from "zod";
import type { PageSettings } from "#lib/engines/chromium/page/settings.ts";
import type { PrintSettings } from "#lib/engines/chromium/print.ts";
import { archivalLevels } from "#lib/formats/pdf/archival/levels.ts";
import type { PdfInfo } from "#lib/formats/pdf/write-info.ts";
import { normalizePageRanges, pageRanges } from "../pdf-pages/page-ranges.ts";
import {
  hasContentArea,
  layOutPage,
  margin,
  type PageMargins,
  pageSize,
  parseMargin,
  parsePageSize,
} from "./paper.ts";
import { pageFields, pageMedia, toPageSettings } from "./settings.ts";

/** Parameters of operations that print a page as PDF. Use the schema with `.refine(...marginsFit)`. */

const infoText = z
  .string()
  .max(2000)
  .refine((text) => text.isWellFormed() && !text.includes("\0"), "must be valid text")
  .optional();

/** Enough for pictures as data URLs, which are the only ones that Chromium prints there. */
const maxMarginHtml = 500_000;

export const printFields = {
  page_size: pageSize,
  margin: margin("1cm"),
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
  prefer_css_page_size: z
    .boolean()
    .default(false)
    .describe(
      "Whether the size and margins of the @page rules of the page count instead of page_size and margin.",
    ),
  header_html: marginHtml("top"),
  footer_html: marginHtml("bottom"),
  plain_margins: z
    .boolean()
    .default(false)
    .describe(
      "Whether header_html and footer_html are printed without the default font size, width and colors, as Chromium prints them.",
    ),
  single_page: z
    .boolean()
    .default(false)
    .describe(
      "Whether the PDF has one page that is as high as the content, at most 200 inches. Only the width of the page size counts.",
    ),
  outline: z.boolean().default(true).describe("Whether the headings of the page become bookmarks."),
  tagged: z.boolean().default(true).describe("Whether the PDF has tags, which screen readers use."),
  pdf_a: z
    .enum(archivalLevels)
    .optional()
    .describe("Level of PDF/A, for archives. By default the PDF is an ordinary one."),
  pdf_metadata: z
    .strictObject({ title: infoText, author: infoText, subject: infoText, keywords: infoText })
    .optional()
    .meta({
      description:
        "Properties of the PDF: title, author, subject and keywords. The default title is that of the page.",
      control: "json",
    }),
  media: pageMedia("print"),
  ...pageFields,
};

type PrintParams = z.output<z.ZodObject<typeof printFields>>;

/** Arguments of `refine`: the margins leave room for content. */
export const marginsFit: [(params: PrintParams) => boolean, { path: string[]; error: string }] = [
  ({ page_size, landscape, margin }) => hasRoom(page_size, landscape, margin),
  { path: ["margin"], error: "must leave at least 5mm of the page in width and height" },
];

/** How a page is loaded and printed. */
export interface PrintRequestSettings extends Omit<PrintSettings, "output"> {
  readonly settings: PageSettings;
  readonly info: PdfInfo | undefined;
}

export function toPrintRequest(params: PrintParams): PrintRequestSettings {
  const { header_html: header, footer_html: footer, page_ranges: ranges, media } = params;
  const margins = parseMargin(params.margin);
  if (!margins) throw new Error("the margin was not validated");
  const isSinglePage = params.single_page;
  const template = params.plain_margins ? plainTemplate : marginTemplate;
  return {
    info: params.pdf_metadata,
    // Chromium prints with the styles for print by itself.
    settings: { ...toPageSettings(params), ...(media === "screen" ? { media } : {}) },
    paper: { ...layOutPage(params.page_size, params.landscape), margins, isSinglePage },
    options: {
      printBackground: params.print_background,
      scale: params.scale,
      generateTaggedPDF: params.tagged,
      generateDocumentOutline: params.outline,
      ...(ranges ? { pageRanges: normalizePageRanges(ranges) } : {}),
      displayHeaderFooter: Boolean(header || footer),
      headerTemplate: template(header, margins),
      footerTemplate: template(footer, margins),
      ...(params.prefer_css_page_size ? { preferCSSPageSize: true } : {}),
    },
  };
}

/** An empty document instead of none, for which Chromium prints a header of its own. */
function plainTemplate(html: string | undefined): string {
  return html || "<html><head></head><body></body></html>";
}

function marginHtml(edge: "top" | "bottom") {
  return z
    .string()
    .max(maxMarginHtml)
    .optional()
    .meta({
      description:
        `HTML that is printed in the ${edge} margin of every page. Elements with the class ` +
        "pageNumber, totalPages, date, title or url are filled in. Scripts do not run, and no " +
        "images, fonts or styles are loaded.",
      control: "textarea",
    });
}

/**
 * A header or footer as wide as the page's content. By default Chromium renders these in a font of
 * size 0 and without backgrounds.
 */
function marginTemplate(html: string | undefined, { right, left }: PageMargins): string {
  const sides = `0 ${right}in 0 ${left}in`;
  return `<div style="font-size:10px;width:100%;margin:${sides};print-color-adjust:exact">${html ?? ""}</div>`;
}

/**
 * Whether the margins leave room on the page. It is also true if the size or the margins are
 * invalid, so that a request gets only one error message.
 */
function hasRoom(size: string, landscape: boolean, marginText: string): boolean {
  const margins = parseMargin(marginText);
  if (!margins || !parsePageSize(size)) return true;
  return hasContentArea(layOutPage(size, landscape), margins);
}
