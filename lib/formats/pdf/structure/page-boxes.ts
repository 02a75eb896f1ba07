import {
  PDFArray,
  type PDFDict,
  type PDFDocument,
  PDFNumber,
  type PDFPage,
  PDFRef,
} from "@cantoo/pdf-lib";

/** A rectangle in points (1/72 inch), from the top left of the page as a reader shows it. */
export interface PageBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A rectangle in the coordinates of the page's content: the lower left and upper right corner. */
export type Corners = readonly [x0: number, y0: number, x1: number, y1: number];

/** The visible part of a page, and its rotation in degrees, clockwise. */
export interface PageView {
  readonly corners: Corners;
  readonly rotation: 0 | 90 | 180 | 270;
}

export function viewOf(page: PDFPage): PageView {
  const { x, y, width, height } = page.getCropBox();
  const turn = (((Math.round(page.getRotation().angle / 90) * 90) % 360) + 360) % 360;
  // A multiple of 90 from 0 to 270.
  return { corners: [x, y, x + width, y + height], rotation: turn as PageView["rotation"] };
}

/** The size of the page as a reader shows it. */
export function sizeOf({ corners: [x0, y0, x1, y1], rotation }: PageView) {
  const width = x1 - x0;
  const height = y1 - y0;
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

const round = (value: number) => Math.round(value * 100) / 100;

export function toPageBox([a, b, c, d]: Corners, { corners, rotation }: PageView): PageBox {
  const [left, bottom, right, top] = corners;
  const fromLeft = Math.min(a, c) - left;
  const fromRight = right - Math.max(a, c);
  const fromBottom = Math.min(b, d) - bottom;
  const fromTop = top - Math.max(b, d);
  const width = Math.abs(c - a);
  const height = Math.abs(d - b);
  const [x, y] = {
    0: [fromLeft, fromTop],
    90: [fromBottom, fromLeft],
    180: [fromRight, fromBottom],
    270: [fromTop, fromRight],
  }[rotation] as [number, number];
  const [w, h] = rotation % 180 === 0 ? [width, height] : [height, width];
  return { left: round(x), top: round(y), width: round(w), height: round(h) };
}

/** The inverse of `toPageBox`. */
export function fromPageBox(box: PageBox, { corners, rotation }: PageView): Corners {
  const [x0, y0, x1, y1] = corners;
  const { left, top, width, height } = box;
  if (rotation === 0) return [x0 + left, y1 - top - height, x0 + left + width, y1 - top];
  if (rotation === 90) return [x0 + top, y0 + left, x0 + top + height, y0 + left + width];
  if (rotation === 180) return [x1 - left - width, y0 + top, x1 - left, y0 + top + height];
  return [x1 - top - height, y1 - left - width, x1 - top, y1 - left];
}

/** Four numbers of a dictionary, ordered; undefined if there is no such rectangle. */
export function readCorners(
  dict: PDFDict,
  name: Parameters<PDFDict["lookup"]>[0],
): Corners | undefined {
  const array = dict.lookup(name);
  if (!(array instanceof PDFArray) || array.size() < 4) return undefined;
  const [a, b, c, d] = [0, 1, 2, 3].map((index) => {
    const value = array.lookup(index);
    return value instanceof PDFNumber ? value.asNumber() : Number.NaN;
  }) as [number, number, number, number];
  if (![a, b, c, d].every(Number.isFinite)) return undefined;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

/** The number of the page of each annotation that is an indirect object; the first is 1. */
export function pageOfAnnotations(document: PDFDocument): Map<PDFRef, number> {
  const pages = new Map<PDFRef, number>();
  for (const [index, page] of document.getPages().entries()) {
    for (const annotation of page.node.Annots()?.asArray() ?? []) {
      if (annotation instanceof PDFRef && !pages.has(annotation)) pages.set(annotation, index + 1);
    }
  }
  return pages;
}
