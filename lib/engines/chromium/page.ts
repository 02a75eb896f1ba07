import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { CDPSession, Page, PDFOptions, Protocol } from "puppeteer";
import { waitAtMost } from "#lib/deadline.ts";
import { JobError } from "#lib/errors.ts";
import { type FileLimits, limitError, widestLimits } from "#lib/limits/limits.ts";
import { timeStep } from "#lib/timings.ts";
import { RequestCounter } from "./requests.ts";

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

export interface PageRequest {
  readonly document: PageDocument;
  readonly paper: Paper;
  /** Options other than the paper and the output path. */
  readonly options: Omit<
    PDFOptions,
    "width" | "height" | "format" | "landscape" | "margin" | "path"
  >;
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
  page: Page,
  request: PageRequest,
  timeouts: PageTimeouts,
  closeNetwork: () => Promise<void>,
): Promise<void> {
  const session = await page.createCDPSession();
  await serveDocument(session, request.document);
  await timeStep("load", () => loadPage(page, request.document.url, timeouts, closeNetwork));
  const height = await timeStep("lay out", () => prepareLayout(session, request.paper));
  const { htmlHeight } = request.limits ?? widestLimits;
  if (height > htmlHeight) throw limitError("htmlHeight", htmlHeight);
  await timeStep("print", () => printPage(page, request));
}

/** Resolves when the page has loaded and sends no more requests, or when its time is over. */
async function loadPage(
  page: Page,
  url: string,
  timeouts: PageTimeouts,
  closeNetwork: () => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + timeouts.loadMs;
  const requests = new RequestCounter(page);
  const loading = page.goto(url, { waitUntil: "load", timeout: 0 }).then(() => true);
  if (await waitAtMost(loading, timeouts.loadMs)) {
    return requests.waitUntilIdle(Math.min(deadline, Date.now() + timeouts.quietMs));
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
async function prepareLayout(session: CDPSession, paper: Paper): Promise<number> {
  const { top, right, bottom, left } = paper.margins;
  const size = `size: ${paper.width}in ${paper.height}in !important`;
  const margin = `margin: ${top}in ${right}in ${bottom}in ${left}in !important`;
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
  });
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

async function printPage(page: Page, request: PageRequest): Promise<void> {
  const { paper, options, output, limits = widestLimits } = request;
  const { top, right, bottom, left } = paper.margins;
  const pdf = await page
    .createPDFStream({
      ...options,
      width: `${paper.width}in`,
      height: `${paper.height}in`,
      margin: { top: `${top}in`, right: `${right}in`, bottom: `${bottom}in`, left: `${left}in` },
      waitForFonts: false,
      timeout: 0,
    })
    .catch((error: unknown) => {
      if (!(error instanceof Error && /page range/i.test(error.message))) throw error;
      const message = "`page_ranges` does not match any page of the document.";
      throw new JobError("empty", message, { cause: error });
    });
  // The DOM's and Node's types of the same class differ.
  const source = Readable.fromWeb(pdf as ReadableStream<Uint8Array>);
  await pipeline(source, limitBytes(limits.htmlPdfBytes), createWriteStream(output));
}

function limitBytes(max: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= max) return done(null, chunk);
      done(limitError("htmlPdfBytes", max));
    },
  });
}

/** Fulfills the main frame's first document request with `document` and fails all later ones. */
async function serveDocument(session: CDPSession, document: PageDocument): Promise<void> {
  const { frameTree } = await session.send("Page.getFrameTree");
  let served = false;
  const handle = (event: Protocol.Fetch.RequestPausedEvent) => {
    const { requestId } = event;
    if (event.frameId !== frameTree.frame.id) {
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
