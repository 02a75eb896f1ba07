import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { setTimeout as delay } from "node:timers/promises";
import type { CDPSession, Page, PDFOptions, Protocol } from "puppeteer";
import { JobError } from "#lib/errors.ts";
import { type FileLimits, limitError, widestLimits } from "#lib/limits/limits.ts";
import { RequestCounter } from "./requests.ts";

/** The document that a page is made of: bytes we hold, under the address that it is shown at. */
export interface PageDocument {
  /** http or https; relative resources resolve against it. */
  readonly url: string;
  readonly body: Buffer;
  readonly contentType: string;
}

/** How long a page has, from its start. */
export interface PageTimes {
  /** What has not come by then is left out, and the page is printed as it stands. */
  readonly loadMs: number;
  /** How long requests that a page makes after it has loaded are waited for, at most. */
  readonly quietMs: number;
}

/** The paper and what stays free at its edges, in inches. */
export interface Paper {
  readonly width: number;
  readonly height: number;
  readonly margins: Readonly<Record<"top" | "right" | "bottom" | "left", number>>;
}

/** Fonts that are still not there when everything else is. */
const fontsMs = 2000;

/** How long a page whose resources have been given up has to read on to its end. */
const readOnMs = 1000;

export interface PageRequest {
  readonly document: PageDocument;
  readonly paper: Paper;
  /** Everything but the paper and the place. */
  readonly options: Omit<
    PDFOptions,
    "width" | "height" | "format" | "landscape" | "margin" | "path"
  >;
  /** Absolute; where the PDF is written. */
  readonly output: string;
  readonly caps?: FileLimits;
}

/**
 * Shows the document in `page`, waits until it is complete or its time is over (then `cutOff` must end
 * all that comes from outside, and what there is counts), and prints it. Throws
 * `JobError("empty")` where the page ranges select nothing, `JobError("too_complex")`, and what
 * Puppeteer throws where the browser fails.
 */
export async function renderPage(
  page: Page,
  request: PageRequest,
  times: PageTimes,
  cutOff: () => Promise<void>,
): Promise<void> {
  const session = await page.createCDPSession();
  await serveDocument(session, request.document);
  await loadPage(page, request.document.url, times, cutOff);
  const height = await settleLayout(session, request.paper);
  const { htmlHeight } = request.caps ?? widestLimits;
  if (height > htmlHeight) throw limitError("htmlHeight", htmlHeight);
  await printPage(page, request);
}

/** Resolves once the page has loaded and come to rest, or its time is over. */
async function loadPage(
  page: Page,
  url: string,
  times: PageTimes,
  cutOff: () => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + times.loadMs;
  const requests = new RequestCounter(page);
  const loading = page.goto(url, { waitUntil: "load", timeout: 0 }).then(() => true);
  if (await Promise.race([loading, delay(times.loadMs, false, { ref: false })])) {
    return requests.quiet(Math.min(deadline, Date.now() + times.quietMs));
  }
  // What it still waits for now fails, so that the rest of the document is read.
  await cutOff();
  await Promise.race([loading, delay(readOnMs)]);
}

/**
 * Makes the paper ours whatever the page's own `@page` says (Chromium would take its orientation and
 * its margins), waits for fonts and returns the page's height in pixels. In a world of its own, where nothing that
 * the page has done to JavaScript's built-ins is seen.
 */
async function settleLayout(session: CDPSession, paper: Paper): Promise<number> {
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
      const late = new Promise((resolve) => setTimeout(resolve, ${fontsMs}));
      await Promise.race([document.fonts.ready, late]);
      return document.documentElement?.scrollHeight ?? 0;
    })()`,
  });
  return Number(result.value);
}

async function printPage(page: Page, request: PageRequest): Promise<void> {
  const { paper, options, output, caps = widestLimits } = request;
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
      const sentence = "page_ranges selects none of the document's pages.";
      throw new JobError("empty", sentence, { cause: error });
    });
  // The DOM's type of the same class that Node's own streams take.
  const source = Readable.fromWeb(pdf as ReadableStream<Uint8Array>);
  await pipeline(source, limitBytes(caps.htmlPdfBytes), createWriteStream(output));
}

function limitBytes(most: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= most) return done(null, chunk);
      done(limitError("htmlPdfBytes", most));
    },
  });
}

/** Answers the main frame's first document request with `document` and refuses any later one. */
async function serveDocument(session: CDPSession, document: PageDocument): Promise<void> {
  const { frameTree } = await session.send("Page.getFrameTree");
  let served = false;
  const answer = (event: Protocol.Fetch.RequestPausedEvent) => {
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
    // A request that is gone by now, or a page that is: there is nobody left to answer.
    answer(event).catch(() => {});
  });
  await session.send("Fetch.enable", { patterns: [{ resourceType: "Document" }] });
}
