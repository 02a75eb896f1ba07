import { printDocument } from "#lib/engines/chromium/chromium.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { listGlyphs } from "./worker-functions.ts";

/** The number of points in an inch. */
const inch = 72;

/** The size of the paper in points. */
export interface PaperSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Prints a page that an operation has written itself, without margins and without a network. `size`: that of the
 * paper; "own" for the page's own `@page` rule. Its fonts can become those of a PDF/A file. Throws like `printDocument`.
 */
export async function printOwnPage(
  html: string,
  size: PaperSize | "own",
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const printed = work.scratch("pdf");
  const { width, height } = size === "own" ? { width: 10 * inch, height: 10 * inch } : size;
  await printDocument({
    document: {
      url: "http://text.invalid/",
      body: Buffer.from(html),
      contentType: "text/html; charset=utf-8",
    },
    paper: {
      width: width / inch,
      height: height / inch,
      margins: { top: 0, right: 0, bottom: 0, left: 0 },
    },
    options: {
      // Without backgrounds, light colors of text are printed darker.
      printBackground: true,
      generateTaggedPDF: false,
      generateDocumentOutline: false,
      preferCSSPageSize: size === "own",
    },
    output: printed.path,
    limits: work.limits,
    network: noNetwork,
    signal,
  });
  const {
    outputs: [listed],
  } = await callInWorker(listGlyphs, { files: [printed], work, signal });
  if (!listed) throw new Error("a worker returned no PDF");
  return listed;
}

/** A color as CSS has it, which is without `0xRRGGBB`. */
export const cssColor = (color: string) => color.replace(/^0x/i, "#");
