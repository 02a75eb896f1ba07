import { writeFile } from "node:fs/promises";
import type { CDPSession, Protocol } from "puppeteer";
import { waitAtMost } from "#lib/deadline.ts";
import { JobError } from "#lib/errors.ts";
import { type FileLimits, limitError, widestLimits } from "#lib/limits/limits.ts";
import { timeStep } from "#lib/timings.ts";
import type { PageTarget } from "./page-target.ts";

/** The HTML document to print, with the URL at which the browser displays it. */
export interface PageDocument {
  /** http or https; relative resources resolve against it. */
  readonly url: string;
  readonly body: Buffer;
  readonly contentType: string;
}

export interface PageTimeouts {
  /** The time to load the page. Resources that are still missing then are omitted. */
  readonly loadMs: number;
  /** The time to wait for requests that the page sends after it has loaded. */
  readonly quietMs: number;
}

/** The paper size and its margins, in inches. */
export interface Paper {
  readonly width: number;
  readonly height: number;
  readonly margins: Readonly<Record<"top" | "right" | "bottom" | "left", number>>;
}

/** The time to wait for fonts after all other resources have loaded. */
const fontsTimeoutMs = 2000;

/** The time to parse the rest of the document after its pending resources were given up. */
const parseTimeoutMs = 1000;

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
>;

export interface PageRequest {
  readonly document: PageDocument;
  readonly paper: Paper;
  /** Options other than the paper. */
  readonly options: PrintOptions;
  /** Absolute path of the PDF to write. */
  readonly output: string;
  readonly limits?: FileLimits;
}

/**
 * Loads the document in `page` and prints it. If it does not finish loading in time, it calls
 * `closeNetwork`, which must fail all pending requests, and prints the loaded part. Throws
 * `JobError("empty")` if the page ranges match no page, `JobError("too_complex")`, and the errors
 * of Puppeteer if the browser fails.
 */
export async function renderPage(
  page: PageTarget,
  request: PageRequest,
  timeouts: PageTimeouts,
  closeNetwork: () => Promise<void>,
): Promise<void> {
  await serveDocument(page, request.document);
  await timeStep("load", () => loadPage(page, request.document.url, timeouts, closeNetwork));
  const height = await timeStep("lay out", () => prepareLayout(page, request.paper));
  const { htmlHeight } = request.limits ?? widestLimits;
  if (height > htmlHeight) throw limitError("htmlHeight", htmlHeight);
  await timeStep("print", () => printPage(page, request));
}

/** Resolves when the page has loaded and sends no more requests, or when its time is over. */
async function loadPage(
  page: PageTarget,
  url: string,
  timeouts: PageTimeouts,
  closeNetwork: () => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + timeouts.loadMs;
  const loading = page.load(url).then(() => true);
  if (await waitAtMost(loading, timeouts.loadMs)) {
    return page.requests.waitUntilIdle(Math.min(deadline, Date.now() + timeouts.quietMs));
  }
  // Pending requests fail now, so that the browser parses the rest of the document.
  await closeNetwork();
  await waitAtMost(loading, parseTimeoutMs);
}

/**
 * Overrides the size and margins of the page's `@page` rules, waits for fonts and returns the
 * page's height in pixels. The script runs in an isolated world, where changes that the page has
 * made to JavaScript's built-in objects have no effect.
 */
async function prepareLayout({ session, frameId }: PageTarget, paper: Paper): Promise<number> {
  const { top, right, bottom, left } = paper.margins;
  const size = `size: ${paper.width}in ${paper.height}in !important`;
  const margin = `margin: ${top}in ${right}in ${bottom}in ${left}in !important`;
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId });
  const { result } = await session.send("Runtime.evaluate", {
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
    expression: `(async () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("@page { ${size}; ${margin} }");
      document.adoptedStyleSheets.push(sheet);
      const timeout = new Promise((resolve) => setTimeout(resolve, ${fontsTimeoutMs}));
      await Promise.race([document.fonts.ready, timeout]);
      return document.documentElement?.scrollHeight ?? 0;
    })()`,
  });
  return Number(result.value);
}

async function printPage({ session }: PageTarget, request: PageRequest): Promise<void> {
  const { paper, options, output, limits = widestLimits } = request;
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
  await writeFile(output, readStream(session, handle, limits.htmlPdfBytes));
  await session.send("IO.close", { handle });
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

/** Fulfills the main frame's first document request with `document` and fails all later ones. */
async function serveDocument(
  { session, frameId }: PageTarget,
  document: PageDocument,
): Promise<void> {
  let served = false;
  const handle = (event: Protocol.Fetch.RequestPausedEvent) => {
    const { requestId } = event;
    if (event.frameId !== frameId) {
      return session.send("Fetch.continueRequest", { requestId });
    }
    if (served) return session.send("Fetch.failRequest", { requestId, errorReason: "Aborted" });
    served = true;
    return session.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: "Content-Type", value: document.contentType }],
      body: document.body.toString("base64"),
    });
  };
  session.on("Fetch.requestPaused", (event) => {
    // The call fails if the request was canceled or the page was closed meanwhile.
    handle(event).catch(() => {});
  });
  await session.send("Fetch.enable", { patterns: [{ resourceType: "Document" }] });
}
