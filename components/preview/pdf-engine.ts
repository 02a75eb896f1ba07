import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentLoadingTask,
  type PDFPageProxy,
  type RenderTask,
  version,
} from "pdfjs-dist";

/** Where our own server has pdf.js's worker and data. */
const assets = `/pdfjs/${version}`;

GlobalWorkerOptions.workerSrc = `${assets}/build/pdf.worker.min.mjs`;

/** Begins to read a PDF; only what is looked at is fetched. */
export function openPdf(url: string): PDFDocumentLoadingTask {
  return getDocument({
    url,
    cMapUrl: `${assets}/cmaps/`,
    standardFontDataUrl: `${assets}/standard_fonts/`,
    wasmUrl: `${assets}/wasm/`,
    iccUrl: `${assets}/iccs/`,
    disableAutoFetch: true,
    // The page's policy forbids it, and a file that may be hostile needs no more than drawing.
    isEvalSupported: false,
    enableXfa: false,
  });
}

/** The most that a canvas is given, in pixels: some browsers draw nothing on larger ones. */
const maxPixels = 16_000_000;

/** Draws a page `width` pixels wide, or less where it is very long. */
export function drawPage(page: PDFPageProxy, canvas: HTMLCanvasElement, width: number): RenderTask {
  const whole = page.getViewport({ scale: 1 });
  const largest = Math.sqrt(maxPixels / (whole.width * whole.height));
  const viewport = page.getViewport({ scale: Math.min(width / whole.width, largest) });
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  return page.render({ canvas, viewport });
}

/** A page's text in the order in which it is written, for those who do not see the drawing. */
export async function readPageText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  return items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
}
