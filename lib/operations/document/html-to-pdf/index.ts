import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type PrintRequest, printDocument } from "#lib/engines/chromium/chromium.ts";
import { countPages } from "#lib/engines/pdf/pages.ts";
import { limitError } from "#lib/limits/limits.ts";
import { defineOperation, type InputFile } from "../../define.ts";
import { normalizePageRanges, pageRanges } from "../../fields/document.ts";
import {
  hasContentArea,
  layOutPage,
  margin,
  type PageMargins,
  pageSize,
  parseMargin,
  parsePageSize,
} from "./page-layout.ts";

/** Where an upload is shown; `.invalid` never resolves (RFC 2606). */
const uploadAddress = "http://upload.invalid/";

const params = z
  .strictObject({
    page_size: pageSize,
    margin,
    landscape: z.boolean().default(false).describe("Whether the longer side is the width."),
    print_background: z.boolean().default(true).describe("Whether backgrounds are printed."),
    scale: z.number().min(0.1).max(2).default(1).describe("How large the page is drawn."),
    page_ranges: pageRanges,
    header_html: pageEdge("top"),
    footer_html: pageEdge("bottom"),
  })
  .refine(({ page_size, landscape, margin }) => leavesRoom(page_size, landscape, margin), {
    path: ["margin"],
    error: "must leave at least 5mm of the page's width and height",
  });

export const htmlToPdf = defineOperation({
  id: "document/html-to-pdf",
  summary: "Print an HTML file or a web page as PDF.",
  accepts: ["html"],
  params,
  example: { page_size: "A4", margin: "15mm", landscape: false },
  produces: () => "pdf",
  engine: "runner",
  requires: ["chromium"],
  async run({ input, params, work, signal }) {
    const { limits: caps } = work;
    if (input.bytes > caps.htmlBytes) throw limitError("htmlBytes", caps.htmlBytes);
    const body = await readFile(input.path);
    const output = work.output("pdf");
    await printDocument({
      document: { url: input.url ?? uploadAddress, body, contentType: declareType(body, input) },
      ...layOut(params),
      output: output.path,
      caps,
      signal,
    });
    return { outputs: [{ ...output, pages: await countPages(output.path) }] };
  },
});

function pageEdge(edge: "top" | "bottom") {
  return z
    .string()
    .max(20_000)
    .optional()
    .describe(
      `HTML drawn in the ${edge} margin of every page. Elements of class pageNumber, totalPages, date, title or url are filled in; scripts do not run and nothing is loaded.`,
    );
}

function layOut(options: z.output<typeof params>): Pick<PrintRequest, "paper" | "options"> {
  const { header_html: header, footer_html: footer, page_ranges: ranges } = options;
  const margins = parseMargin(options.margin);
  if (!margins) throw new Error("the margin was not checked");
  return {
    paper: { ...layOutPage(options.page_size, options.landscape), margins },
    options: {
      printBackground: options.print_background,
      scale: options.scale,
      outline: true,
      ...(ranges ? { pageRanges: normalizePageRanges(ranges) } : {}),
      displayHeaderFooter: Boolean(header || footer),
      headerTemplate: edgeTemplate(header, margins),
      footerTemplate: edgeTemplate(footer, margins),
    },
  };
}

/**
 * As wide as the page's content. Chromium draws edges in a font of size 0 and without backgrounds,
 * unless they say otherwise.
 */
function edgeTemplate(html: string | undefined, { right, left }: PageMargins): string {
  const sides = `0 ${right}in 0 ${left}in`;
  return `<div style="font-size:10px;width:100%;margin:${sides};print-color-adjust:exact">${html ?? ""}</div>`;
}

/**
 * The document's media type, with the encoding its server declared. Where neither the server nor the
 * document names one, text that is valid UTF-8 is UTF-8: browsers would guess a legacy encoding.
 */
function declareType(body: Buffer, input: InputFile): string {
  if (input.charset && /^[\w.:-]{1,40}$/.test(input.charset)) {
    return `text/html; charset=${input.charset}`;
  }
  // Browsers look for a declaration in the first 1024 bytes (HTML, "prescan a byte stream").
  const declares = /charset/i.test(body.toString("latin1", 0, 1024));
  return !declares && isUtf8(body) ? "text/html; charset=utf-8" : "text/html";
}

/** True as well where size or margins are refused themselves, so that there is one complaint only. */
function leavesRoom(size: string, landscape: boolean, marginText: string): boolean {
  const margins = parseMargin(marginText);
  if (!margins || !parsePageSize(size)) return true;
  return hasContentArea(layOutPage(size, landscape), margins);
}
