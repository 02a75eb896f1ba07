import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { CDPSession, Page, PDFOptions, Protocol } from "puppeteer";
import { JobError } from "#lib/errors.ts";
import { RequestCounter } from "./chromium-requests.ts";

/** The document that a page is made of: bytes we hold, under the address that it is shown at. */
export interface PageDocument {
  /** http or https; relative resources resolve against it. */
  readonly url: string;
  readonly body: Buffer;
  readonly contentType: string;
}

/** How long a page has, from its start. */
export interface PageTimes {
  /** What has not loaded by then is left out, and the page is printed as it stands. */
  readonly loadMs: number;
  /** How long requests that a page makes after it has loaded are waited for, at most. */
  readonly quietMs: number;
}

/** Sides of the paper in inches. */
export interface Paper {
  readonly width: number;
  readonly height: number;
}

/** The largest PDF that a page may become. */
const maxPdfBytes = 2 ** 30;

/** Some 9,500 pages of A4, which Chromium lays out in some 7 s. */
const maxHeightPixels = 10_000_000;

/** Fonts that are still not there when everything else is. */
const fontsMs = 2000;

/**
 * Loads `document` in `page` and waits until it is complete, or until its time is over. Only
 * `document` may be the page: whatever would lead away from it is refused, and it stays.
 */
export async function loadPage(
  page: Page,
  document: PageDocument,
  times: PageTimes,
): Promise<void> {
  const deadline = Date.now() + times.loadMs;
  const session = await page.createCDPSession();
  await serveDocument(session, document);
  const requests = new RequestCounter(page);
  const complete = await page
    .goto(document.url, { waitUntil: "load", timeout: times.loadMs })
    .then(() => true)
    .catch((error: unknown) => {
      if (error instanceof Error && error.name === "TimeoutError") return false;
      throw error;
    });
  if (complete) await requests.quiet(Math.min(deadline, Date.now() + times.quietMs));
  // What is still loading would hold up the layout; stopped, it is merely missing.
  if (!complete || requests.underWay > 0) await session.send("Page.stopLoading");
}

/**
 * Prints `page` on `paper` to `path`. Throws `JobError("empty")` where the page ranges select
 * nothing, and `JobError("too_complex")`.
 */
export async function printPage(
  page: Page,
  paper: Paper,
  options: PDFOptions,
  path: string,
): Promise<void> {
  const height = await page.evaluate(settleLayout, paper, fontsMs);
  if (height > maxHeightPixels) {
    throw new JobError("too_complex", "The page is taller than 10,000,000 pixels.");
  }
  const size = { width: `${paper.width}in`, height: `${paper.height}in` } as const;
  const pdf = await page
    .createPDFStream({ ...options, ...size, waitForFonts: false, timeout: 0 })
    .catch((error: unknown) => {
      if (!(error instanceof Error && /page range/i.test(error.message))) throw error;
      const sentence = "page_ranges selects none of the document's pages.";
      throw new JobError("empty", sentence, { cause: error });
    });
  // The DOM's type of the same class that Node's own streams take.
  const source = Readable.fromWeb(pdf as ReadableStream<Uint8Array>);
  await pipeline(source, limitBytes(), createWriteStream(path));
}

/**
 * Runs in the page. The paper is ours whatever the page's own `@page` says: Chromium would take its
 * orientation. Returns the page's height in pixels; whatever the page has made of the functions used
 * here spoils its own PDF only.
 */
async function settleLayout(paper: Paper, waitMs: number): Promise<number> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@page { size: ${paper.width}in ${paper.height}in !important }`);
  document.adoptedStyleSheets.push(sheet);
  const late = new Promise((resolve) => setTimeout(resolve, waitMs));
  await Promise.race([document.fonts.ready, late]);
  return document.documentElement.scrollHeight;
}

function limitBytes(): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= maxPdfBytes) return done(null, chunk);
      done(new JobError("too_complex", "The page makes a PDF of more than 1 GB."));
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
