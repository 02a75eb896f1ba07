import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFStream,
} from "@cantoo/pdf-lib";
import { annotationsOf } from "../forms/annotations.ts";
import { collectFields, inherited } from "../forms/collect-fields.ts";
import type { ArchivalLevel } from "./levels.ts";
import { dictAt, key, nameAt } from "./walk.ts";

/** Annotations that PDF/A allows in all its parts (ISO 19005-1, 6.5.2). */
const allowed = [
  "Text",
  "Link",
  "FreeText",
  "Line",
  "Square",
  "Circle",
  "Highlight",
  "Underline",
  "Squiggly",
  "StrikeOut",
  "Stamp",
  "Ink",
  "Popup",
  "Widget",
  "PrinterMark",
  "TrapNet",
];

/** The further ones of parts 2 and 3. */
const allowedLater = ["Polygon", "PolyLine", "Caret", "Redact", "Watermark"];

/** Bits of `F` (ISO 32000-1, 12.5.3). */
const flag = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 } as const;

export interface ConformedAnnotations {
  /** Annotations that are gone: of forbidden types, or hidden. */
  readonly removed: number;
  /** Annotations that viewers drew as they liked, and that are not drawn now. */
  readonly undrawn: number;
  readonly actions: number;
}

export function conformAnnotations(
  document: PDFDocument,
  level: ArchivalLevel,
): ConformedAnnotations {
  const types = [
    ...allowed,
    ...(level === "1b" ? [] : allowedLater),
    ...(level === "3b" ? ["FileAttachment"] : []),
  ];
  const counts = { removed: 0, undrawn: 0, actions: 0 };
  for (const page of document.getPages()) {
    const kept: PDFObject[] = [];
    for (const { entry, dict } of annotationsOf(page)) {
      if (!types.includes(nameAt(dict, "Subtype").slice(1)) || isHidden(dict)) counts.removed++;
      else {
        kept.push(entry);
        if (conformAnnotation(dict) === "undrawn") counts.undrawn++;
      }
    }
    if (page.node.has(key("Annots"))) page.node.set(key("Annots"), document.context.obj(kept));
  }
  for (const field of collectFields(document)) {
    for (const { dict } of field.widgets) {
      for (const name of ["A", "AA"]) counts.actions += Number(dict.delete(key(name)));
      // The signature covers bytes that have changed.
      if (`${inherited(dict, "FT")}` === "/Sig") {
        dict.delete(key("V"));
        dictAt(dict, "Parent")?.delete(key("V"));
      }
    }
  }
  return counts;
}

function flagsOf(dict: PDFDict): number {
  const flags = dict.lookup(key("F"));
  return flags instanceof PDFNumber ? flags.asNumber() : 0;
}

function isHidden(dict: PDFDict): boolean {
  if (nameAt(dict, "Subtype") === "/Popup") return false;
  return (flagsOf(dict) & (flag.hidden | flag.noView)) !== 0;
}

function conformAnnotation(dict: PDFDict): "drawn" | "undrawn" {
  const subtype = nameAt(dict, "Subtype");
  if (subtype === "/Popup") return "drawn";
  const cleared = flag.invisible | flag.toggleNoView;
  dict.set(key("F"), PDFNumber.of((flagsOf(dict) & ~cleared) | flag.print));
  if (subtype === "/Text") {
    const noZoomOrRotate = 8 | 16;
    dict.set(key("F"), PDFNumber.of(flagsOf(dict) | noZoomOrRotate));
  }
  // Opacity counts as transparency, and the appearance has it, too.
  for (const name of ["CA", "ca"]) dict.delete(key(name));
  const normal = normalAppearance(dict);
  const isButton = subtype === "/Widget" && `${inherited(dict, "FT")}` === "/Btn";
  if (normal) {
    setAppearance(dict, normal, isButton);
    return "drawn";
  }
  dict.delete(key("AP"));
  if (subtype === "/Link" || isEmptyArea(dict)) return "drawn";
  setAppearance(dict, dict.context.register(emptyAppearance(dict)), isButton);
  return subtype === "/Widget" ? "drawn" : "undrawn";
}

/** The appearance, or those of the states of a button. */
function normalAppearance(dict: PDFDict): PDFObject | undefined {
  const appearances = dictAt(dict, "AP");
  const normal = appearances?.lookup(key("N"));
  if (normal instanceof PDFStream) return appearances?.get(key("N"));
  if (!(normal instanceof PDFDict) || normal.entries().length === 0) return undefined;
  return appearances?.get(key("N"));
}

/** The appearance of a button depends on its state; all others have one appearance. */
function setAppearance(dict: PDFDict, normal: PDFObject, isButton: boolean): void {
  const { context } = dict;
  const found = context.lookup(normal);
  let value: PDFObject = normal;
  if (isButton && found instanceof PDFStream) {
    value = context.obj({ Off: normal });
    dict.set(key("AS"), key("Off"));
  } else if (!isButton && found instanceof PDFDict) {
    const state = dict.lookup(key("AS"));
    const current = state instanceof PDFName ? found.get(state) : undefined;
    value = current ?? context.register(emptyAppearance(dict));
    dict.delete(key("AS"));
  }
  const appearances = context.obj({});
  appearances.set(key("N"), value);
  dict.set(key("AP"), appearances);
}

function emptyAppearance(dict: PDFDict): PDFStream {
  const [left, bottom, right, top] = areaOf(dict);
  const box = [0, 0, Math.abs(right - left), Math.abs(top - bottom)];
  const entries = { Type: "XObject", Subtype: "Form", BBox: box, Resources: {} };
  return dict.context.stream("", entries);
}

function areaOf(dict: PDFDict): [number, number, number, number] {
  const area = dict.lookup(key("Rect"));
  const read = (index: number) => {
    const value = area instanceof PDFArray ? area.lookup(index) : undefined;
    return value instanceof PDFNumber ? value.asNumber() : 0;
  };
  return [read(0), read(1), read(2), read(3)];
}

function isEmptyArea(dict: PDFDict): boolean {
  const [left, bottom, right, top] = areaOf(dict);
  return left === right && bottom === top;
}
