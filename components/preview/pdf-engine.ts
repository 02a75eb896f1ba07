import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentLoadingTask,
  type PDFPageProxy,
  type RenderTask,
  version,
} from "pdfjs-dist";

/** The path of pdf.js's worker and data on this server. */
const assets = `/pdfjs/${version}`;

GlobalWorkerOptions.workerSrc = `${assets}/build/pdf.worker.min.mjs`;

/** Opens a PDF. Only the ranges of visible pages are fetched. */
export function openPdf(url: string): PDFDocumentLoadingTask {
  return getDocument({
    url,
    cMapUrl: `${assets}/cmaps/`,
    standardFontDataUrl: `${assets}/standard_fonts/`,
    wasmUrl: `${assets}/wasm/`,
    iccUrl: `${assets}/iccs/`,
    disableAutoFetch: true,
    // The content security policy forbids `eval`, and untrusted files only need rendering.
    isEvalSupported: false,
    enableXfa: false,
  });
}

/** The maximum canvas size in pixels: some browsers draw nothing on larger canvases. */
const maxPixels = 16_000_000;

/** Renders a page at `width` pixels, or smaller if the canvas would be too large. */
export function renderPage(
  page: PDFPageProxy,
  canvas: HTMLCanvasElement,
  width: number,
): RenderTask {
  const original = page.getViewport({ scale: 1 });
  const maxScale = Math.sqrt(maxPixels / (original.width * original.height));
  const viewport = page.getViewport({ scale: Math.min(width / original.width, maxScale) });
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  return page.render({ canvas, viewport });
}

/** A page's text in content order, for screen readers. */
export async function readPageText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  return items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
}
