import {
  PDFArray,
  type PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFRef,
} from "@cantoo/pdf-lib";
import { type Corners, maxUnit, mediaBox, toCorners, visibleBox } from "./corners.ts";

/** A rectangle in points (1/72 inch), from the top left of the page as a reader shows it. */
export interface PageBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A part of a page, and its rotation in degrees, clockwise. */
export interface PageView {
  readonly corners: Corners;
  readonly rotation: 0 | 90 | 180 | 270;
  /** The length of a unit of the page in points. */
  readonly unit: number;
}

/** The visible part of a page. */
export function viewOf(page: PDFPage): PageView {
  const turn = (((Math.round(page.getRotation().angle / 90) * 90) % 360) + 360) % 360;
  // A multiple of 90 from 0 to 270.
  const rotation = turn as PageView["rotation"];
  const unit = page.node.lookup(PDFName.of("UserUnit"));
  const points = unit instanceof PDFNumber ? unit.asNumber() : 1;
  return {
    corners: visibleBox(boxOf(page, "MediaBox"), boxOf(page, "CropBox")),
    rotation,
    unit: points > 0 && points <= maxUnit ? points : 1,
  };
}

/** The whole page as poppler measures it, in units of the page. */
export function mediaView(page: PDFPage): PageView {
  return { ...viewOf(page), corners: mediaBox(boxOf(page, "MediaBox")), unit: 1 };
}

function boxOf({ node }: PDFPage, name: string): Corners | undefined {
  const box = node.context.lookup(node.getInheritableAttribute(PDFName.of(name)));
  return toCorners(readNumbers(box));
}

/** The size of the page in points, as a reader shows it. */
export function sizeOf({ corners: [x0, y0, x1, y1], rotation, unit }: PageView) {
  const width = (x1 - x0) * unit;
  const height = (y1 - y0) * unit;
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

const round = (value: number) => Math.round(value * 100) / 100;

export function toPageBox([a, b, c, d]: Corners, { corners, rotation, unit }: PageView): PageBox {
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
  return {
    left: round(x * unit),
    top: round(y * unit),
    width: round(w * unit),
    height: round(h * unit),
  };
}

/** The inverse of `toPageBox`. */
export function fromPageBox(box: PageBox, { corners, rotation, unit }: PageView): Corners {
  const [x0, y0, x1, y1] = corners;
  const left = box.left / unit;
  const top = box.top / unit;
  const width = box.width / unit;
  const height = box.height / unit;
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
  const [a, b, c, d] = readNumbers(dict.lookup(name));
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

/** The first four items of an array; those that are no finite numbers are undefined. */
function readNumbers(array: PDFObject | undefined): (number | undefined)[] {
  if (!(array instanceof PDFArray) || array.size() < 4) return [];
  return [0, 1, 2, 3].map((index) => {
    const value = array.lookup(index);
    const number = value instanceof PDFNumber ? value.asNumber() : Number.NaN;
    return Number.isFinite(number) ? number : undefined;
  });
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
