import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";
import { identity, type Matrix, transformBox } from "../structure/matrix.ts";
import { readCorners } from "../structure/page-boxes.ts";
import { key } from "./collect-fields.ts";

/** Draws the widgets of a form into the content of their pages and removes the form. */
export function flattenForm(document: PDFDocument): void {
  for (const page of document.getPages()) flattenPage(document, page);
  document.catalog.delete(key("AcroForm"));
}

/** The flags of widgets that are hidden, or not for the screen (ISO 32000-1, table 165). */
const invisible = 2 | 32;

function flattenPage(document: PDFDocument, page: PDFPage): void {
  const annotations = page.node.lookup(key("Annots"));
  if (!(annotations instanceof PDFArray)) return;
  const kept: PDFObject[] = [];
  const drawing: string[] = [];
  for (const object of annotations.asArray()) {
    const widget = document.context.lookup(object);
    if (!(widget instanceof PDFDict) || widget.lookup(key("Subtype")) !== key("Widget")) {
      kept.push(object);
      continue;
    }
    const appearance = visibleAppearance(widget);
    const placement = appearance && placeAppearance(widget, appearance.stream);
    if (appearance && placement) {
      const name = page.node.newXObject("Field", appearance.ref);
      drawing.push(`q ${placement.join(" ")} cm ${name.toString()} Do Q`);
    }
    if (object instanceof PDFRef) document.context.delete(object);
  }
  if (kept.length === annotations.size()) return;
  page.node.set(key("Annots"), document.context.obj(kept));
  if (drawing.length === 0) return;
  const { context } = document;
  const stream = (content: string) => context.register(context.flateStream(content));
  const fields = drawing.join("\n");
  page.node.normalize();
  // The content of the page may leave the graphics state changed.
  if (page.node.wrapContentStreams(stream("q\n"), stream(`\nQ\n${fields}\n`))) return;
  page.node.set(key("Contents"), stream(fields));
}

function visibleAppearance(widget: PDFDict): { stream: PDFStream; ref: PDFRef } | undefined {
  const flags = widget.lookup(key("F"));
  if (flags instanceof PDFNumber && (flags.asNumber() & invisible) !== 0) return undefined;
  const appearances = widget.lookup(key("AP"));
  let holder = appearances instanceof PDFDict ? appearances : undefined;
  let name = key("N");
  const states = holder?.lookup(name);
  if (states instanceof PDFDict) {
    const state = widget.lookup(key("AS"));
    holder = states;
    name = state instanceof PDFName ? state : key("Off");
  }
  const ref = holder?.get(name);
  const stream = holder?.lookup(name);
  return stream instanceof PDFStream && ref instanceof PDFRef ? { stream, ref } : undefined;
}

/** The matrix that fits an appearance into the rectangle of its widget (ISO 32000-1, 12.5.5). */
function placeAppearance(widget: PDFDict, { dict }: PDFStream): Matrix | undefined {
  const rect = readCorners(widget, key("Rect"));
  const box = readCorners(dict, key("BBox"));
  if (!rect || !box) return undefined;
  const [x0, y0, x1, y1] = transformBox(readMatrix(dict), box);
  if (!(x1 > x0 && y1 > y0)) return undefined;
  const sx = (rect[2] - rect[0]) / (x1 - x0);
  const sy = (rect[3] - rect[1]) / (y1 - y0);
  return [sx, 0, 0, sy, rect[0] - x0 * sx, rect[1] - y0 * sy];
}

function readMatrix(dict: PDFDict): Matrix {
  const array = dict.lookup(key("Matrix"));
  const numbers = [0, 1, 2, 3, 4, 5].map((index) => {
    const value =
      array instanceof PDFArray && index < array.size() ? array.lookup(index) : undefined;
    return value instanceof PDFNumber ? value.asNumber() : Number.NaN;
  });
  // Six numbers, or else the identity.
  return numbers.every(Number.isFinite) ? (numbers as unknown as Matrix) : identity;
}
