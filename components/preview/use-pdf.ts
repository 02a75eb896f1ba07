"use client";

import type { PDFDocumentProxy } from "pdfjs-dist";
import { type RefObject, useEffect, useState } from "react";
import { drawPage, openPdf, readPageText } from "./pdf-engine.ts";

/** An opened PDF; undefined while it is read, null where it cannot be. */
export function usePdf(url: string): PDFDocumentProxy | null | undefined {
  const [opened, setOpened] = useState<PDFDocumentProxy | null>();
  useEffect(() => {
    const loading = openPdf(url);
    let over = false;
    loading.promise.then(setOpened, () => {
      if (!over) setOpened(null);
    });
    return () => {
      over = true;
      void loading.destroy();
    };
  }, [url]);
  return opened;
}

/** What is on the canvas: nothing yet, a whole page with its text, or the news that it failed. */
export type DrawnPage = { readonly number: number; readonly text: string } | "failed" | undefined;

/** Draws page `number`, from 1, on the canvas, and again whenever one of them changes. */
export function useDrawnPage(
  pdf: PDFDocumentProxy | null | undefined,
  number: number,
  canvas: RefObject<HTMLCanvasElement | null>,
): DrawnPage {
  const [drawn, setDrawn] = useState<DrawnPage>();
  useEffect(() => {
    if (!pdf) return;
    let over = false;
    let cancel = () => {};
    async function draw(document: PDFDocumentProxy) {
      const page = await document.getPage(number);
      const target = canvas.current;
      if (over || !target) return;
      const width = Math.max(target.clientWidth, 320) * Math.min(window.devicePixelRatio, 2);
      const task = drawPage(page, target, width);
      cancel = () => task.cancel();
      await task.promise;
      const text = await readPageText(page);
      if (!over) setDrawn({ number, text });
    }
    draw(pdf).catch(() => {
      if (!over) setDrawn("failed");
    });
    return () => {
      over = true;
      cancel();
    };
  }, [pdf, number, canvas]);
  return drawn;
}
