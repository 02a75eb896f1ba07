"use client";

import type { PDFDocumentProxy } from "pdfjs-dist";
import { type RefObject, useEffect, useState } from "react";
import { openPdf, readPageText, renderPage } from "./pdf-engine.ts";

/** An opened PDF; undefined while it is loading, null if it cannot be opened. */
export function usePdf(url: string): PDFDocumentProxy | null | undefined {
  const [opened, setOpened] = useState<PDFDocumentProxy | null>();
  useEffect(() => {
    const task = openPdf(url);
    let ignore = false;
    task.promise.then(setOpened, () => {
      if (!ignore) setOpened(null);
    });
    return () => {
      ignore = true;
      void task.destroy();
    };
  }, [url]);
  return opened;
}

/** The page on the canvas with its text; undefined before the first page is rendered. */
export type RenderedPage =
  | { readonly number: number; readonly text: string }
  | "failed"
  | undefined;

/** Renders page `number`, from 1, on the canvas. */
export function useRenderedPage(
  pdf: PDFDocumentProxy | null | undefined,
  number: number,
  canvas: RefObject<HTMLCanvasElement | null>,
): RenderedPage {
  const [rendered, setRendered] = useState<RenderedPage>();
  useEffect(() => {
    if (!pdf) return;
    let ignore = false;
    let cancel = () => {};
    async function render(document: PDFDocumentProxy) {
      const page = await document.getPage(number);
      const target = canvas.current;
      if (ignore || !target) return;
      const width = Math.max(target.clientWidth, 320) * Math.min(window.devicePixelRatio, 2);
      const task = renderPage(page, target, width);
      cancel = () => task.cancel();
      await task.promise;
      const text = await readPageText(page);
      if (!ignore) setRendered({ number, text });
    }
    render(pdf).catch(() => {
      if (!ignore) setRendered("failed");
    });
    return () => {
      ignore = true;
      cancel();
    };
  }, [pdf, number, canvas]);
  return rendered;
}
