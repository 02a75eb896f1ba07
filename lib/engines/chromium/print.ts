import type { CDPSession, Protocol } from "puppeteer";
import { JobError } from "#lib/errors.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { type FileLimits, limitError, widestLimits } from "#lib/limits/limits.ts";
import { emulateMedia, setViewport } from "./page/emulate.ts";
import type { IsolatedWorld } from "./page/evaluate.ts";
import type { PageTarget } from "./page/page-target.ts";
import type { PageSettings } from "./page/settings.ts";

/** The paper size and its margins, in inches. */
export interface Paper {
  readonly width: number;
  readonly height: number;
  readonly margins: Readonly<Record<"top" | "right" | "bottom" | "left", number>>;
  /** Whether the paper is as high as the page instead. */
  readonly isSinglePage?: boolean;
}

/** Options of `Page.printToPDF` in the DevTools protocol. */
export type PrintOptions = Pick<
  Protocol.Page.PrintToPDFRequest,
  | "printBackground"
  | "scale"
  | "pageRanges"
  | "displayHeaderFooter"
  | "headerTemplate"
  | "footerTemplate"
  | "generateTaggedPDF"
  | "generateDocumentOutline"
  | "preferCSSPageSize"
>;

export interface PrintSettings {
  readonly paper: Paper;
  /** Options other than the paper. */
  readonly options: PrintOptions;
  /** Absolute path of the PDF to write. */
  readonly output: string;
}

/** The number of CSS pixels per inch. */
const perInch = 96;

/** The longest side of a PDF page in inches (ISO 32000, annex C). */
const maxInches = 200;

/**
 * Prints a page that has loaded. Throws `JobError` `empty` if the page ranges match no page, and
 * `too_complex`.
 */
export async function printPage(
  { session }: PageTarget,
  world: IsolatedWorld,
  request: PrintSettings & { readonly settings?: PageSettings; readonly limits?: FileLimits },
): Promise<void> {
  const { options, output, settings = {}, limits = widestLimits } = request;
  const paper = request.paper.isSinglePage
    ? await fitPaper(session, world, request.paper, options.scale ?? 1, settings)
    : request.paper;
  if (!options.preferCSSPageSize) await overridePageRules(world, paper);
  const { top, right, bottom, left } = paper.margins;
  const { stream: handle } = await session
    .send("Page.printToPDF", {
      ...options,
      paperWidth: paper.width,
      paperHeight: paper.height,
      marginTop: top,
      marginRight: right,
      marginBottom: bottom,
      marginLeft: left,
      transferMode: "ReturnAsStream",
    })
    .catch((error: unknown) => {
      if (!(error instanceof Error && /page range/i.test(error.message))) throw error;
      const message = "`page_ranges` does not match any page of the document.";
      throw new JobError("empty", message, { cause: error });
    });
  if (!handle) throw new Error("Chromium returned no PDF");
  await writeNew(output, readStream(session, handle, limits.htmlPdfBytes));
  await session.send("IO.close", { handle });
}

/** Overrides the size and margins of the page's `@page` rules. */
async function overridePageRules(world: IsolatedWorld, paper: Paper): Promise<void> {
  const { top, right, bottom, left } = paper.margins;
  const size = `size: ${paper.width}in ${paper.height}in !important`;
  const margin = `margin: ${top}in ${right}in ${bottom}in ${left}in !important`;
  await world.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("@page { ${size}; ${margin} }");
    document.adoptedStyleSheets.push(sheet);
  })()`);
}

/** The paper as high as the page is when it is as wide as the area between the margins. */
async function fitPaper(
  session: CDPSession,
  world: IsolatedWorld,
  paper: Paper,
  scale: number,
  { media = "print", dark, mediaFeatures }: PageSettings,
): Promise<Paper> {
  const { top, right, bottom, left } = paper.margins;
  const width = Math.round(((paper.width - left - right) * perInch) / scale);
  await emulateMedia(session, { media, dark, mediaFeatures });
  await setViewport(session, { width, height: 1, scale: 1 });
  const pixels = await world.evaluate(`Math.ceil(Math.max(
    document.documentElement?.getBoundingClientRect().height ?? 0,
    document.documentElement?.scrollHeight ?? 0,
  ))`);
  // One pixel more, because the height of a page is rounded.
  const height = ((Number(pixels) + 1) * scale) / perInch + top + bottom;
  if (height > maxInches) {
    const message = `\`single_page\`: the page would be ${Math.round(height)} inches high, and a PDF page is at most ${maxInches}. Set a smaller \`scale\` or a wider \`page_size\`.`;
    throw new JobError("too_complex", message);
  }
  return { ...paper, height: Math.max(height, 0.5) };
}

/** The parts of a stream of the browser. Throws `JobError` if it is longer than `maxBytes`. */
async function* readStream(session: CDPSession, handle: string, maxBytes: number) {
  let bytes = 0;
  for (let isEnd = false; !isEnd; ) {
    const { data, base64Encoded, eof } = await session.send("IO.read", { handle });
    const part = Buffer.from(data, base64Encoded ? "base64" : "utf8");
    bytes += part.length;
    if (bytes > maxBytes) throw limitError("htmlPdfBytes", maxBytes);
    yield part;
    isEnd = eof;
  }
}
