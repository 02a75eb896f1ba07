import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { formOf, key } from "#lib/formats/pdf/forms/collect-fields.ts";
import { decodePacket } from "#lib/formats/pdf/pages/read-packet.ts";
import { decodeTextString } from "#lib/formats/pdf/structure/text-string.ts";
import { changePacketTexts, decodeEntities } from "../../shared/pdf/packet.ts";
import { findRanges } from "./find-matches.ts";

/** Removes matches from everything that is not on a page: metadata, bookmarks, values, names. */

export interface CleanResult {
  /** Strings that were changed. */
  readonly strings: number;
  readonly attachments: boolean;
  readonly xfa: boolean;
}

const replacement = "█████";

export function cleanDocument(document: PDFDocument, matchers: readonly RegExp[]): CleanResult {
  inheritResources(document);
  const attachments = removeAttachments(document);
  const xfa = formOf(document)?.delete(key("XFA")) ?? false;
  let strings = 0;
  const redact = (value: PDFObject): PDFObject | undefined => {
    if (!(value instanceof PDFString || value instanceof PDFHexString)) return undefined;
    const text = decodeTextString(value).normalize("NFC");
    const clean = redactText(text, matchers);
    if (clean === text) return undefined;
    strings++;
    return PDFHexString.fromText(clean);
  };
  for (const [ref, object] of document.context.enumerateIndirectObjects()) {
    const dict = object instanceof PDFStream ? object.dict : object;
    if (dict instanceof PDFDict) for (const name of ["Thumb", "PieceInfo"]) dict.delete(key(name));
    if (object instanceof PDFRawStream && isMetadata(object)) {
      const text = decodePacket(Buffer.from(object.getContents()));
      const clean = redactPacket(text, matchers);
      if (clean !== text) {
        if (clean === undefined) document.context.delete(ref);
        else document.context.assign(ref, PDFRawStream.of(object.dict, Buffer.from(clean)));
        strings++;
        continue;
      }
    }
    const changed = redact(object);
    if (changed) document.context.assign(ref, changed);
    else redactWithin(dict, redact, 0);
  }
  return { strings, attachments, xfa };
}

export function redactText(text: string, matchers: readonly RegExp[]): string {
  const ranges = findRanges(text, matchers).toSorted(([left], [right]) => right - left);
  let result = text;
  for (const [start, end] of ranges)
    result = result.slice(0, start) + replacement + result.slice(end);
  return result;
}

/** XMP without matches; undefined if one would remain in its markup or in several values. */
function redactPacket(packet: string, matchers: readonly RegExp[]): string | undefined {
  const clean = changePacketTexts(packet, (text) =>
    isMatch(text, matchers) ? redactText(text.normalize("NFC"), matchers) : text,
  );
  return isMatchInPacket(clean, matchers) ? undefined : clean;
}

/** Whether text matches in any form of Unicode. */
export function isMatch(text: string, matchers: readonly RegExp[]): boolean {
  const normalized = text.normalize("NFC");
  return redactText(normalized, matchers) !== normalized;
}

/** Whether something in XMP matches, as it is written or as it is read. */
export function isMatchInPacket(packet: string, matchers: readonly RegExp[]): boolean {
  return [packet, decodeEntities(packet)].some((text) => isMatch(text, matchers));
}

export const isMetadata = ({ dict }: PDFStream) => dict.get(key("Type")) === key("Metadata");

const maxDepth = 200;

function redactWithin(
  object: PDFObject,
  redact: (value: PDFObject) => PDFObject | undefined,
  depth: number,
): void {
  if (depth > maxDepth) return;
  if (object instanceof PDFArray) {
    for (const [index, value] of object.asArray().entries()) {
      const changed = redact(value);
      if (changed) object.set(index, changed);
      else redactWithin(value, redact, depth + 1);
    }
  }
  if (!(object instanceof PDFDict) || isCharacterSet(object)) return;
  for (const [name, value] of object.entries()) {
    const changed = redact(value);
    if (changed) {
      object.set(name, changed);
      // The drawn value of a field or a note.
      if (object.get(key("Subtype")) === key("Widget") || object.has(key("FT")))
        removeDrawing(object);
      else object.delete(key("AP"));
    } else redactWithin(value, redact, depth + 1);
  }
}

/** The names of a font's character set, such as "Adobe" and "Identity", are no text of the document. */
const isCharacterSet = (dict: PDFDict) =>
  ["Registry", "Ordering", "Supplement"].every((name) => dict.has(key(name)));

function removeDrawing(field: PDFDict): void {
  field.delete(key("AP"));
  const kids = field.lookup(key("Kids"));
  for (const kid of kids instanceof PDFArray ? kids.asArray() : []) {
    const widget = field.context.lookup(kid);
    if (widget instanceof PDFDict) widget.delete(key("AP"));
  }
}

function removeAttachments(document: PDFDocument): boolean {
  const { catalog } = document;
  const names = catalog.lookup(key("Names"));
  let removed = names instanceof PDFDict && names.delete(key("EmbeddedFiles"));
  removed = catalog.delete(key("AF")) || removed;
  removed = catalog.delete(key("Collection")) || removed;
  for (const page of document.getPages()) {
    removed = page.node.delete(key("AF")) || removed;
    const count = removeAnnotations(
      page.node,
      (annotation) => annotation.lookup(key("Subtype")) === key("FileAttachment"),
    );
    removed = count > 0 || removed;
  }
  return removed;
}

/** The number of annotations that were removed, with their objects. */
export function removeAnnotations(
  page: PDFDict,
  removes: (annotation: PDFDict) => boolean,
): number {
  const annotations = page.lookup(key("Annots"));
  if (!(annotations instanceof PDFArray)) return 0;
  const kept: PDFObject[] = [];
  for (const item of annotations.asArray()) {
    const annotation = page.context.lookup(item);
    if (!(annotation instanceof PDFDict && removes(annotation))) kept.push(item);
    else if (item instanceof PDFRef) page.context.delete(item);
  }
  const count = annotations.size() - kept.length;
  if (count > 0) page.set(key("Annots"), page.context.obj(kept));
  return count;
}

/** Gives each page its own resources, so that changes of one page do not show on others. */
function inheritResources(document: PDFDocument): void {
  for (const page of document.getPages()) {
    const resources = page.node.Resources();
    page.node.set(key("Resources"), (resources ?? document.context.obj({})).clone());
  }
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (object instanceof PDFDict && object.get(key("Type")) === key("Pages"))
      object.delete(key("Resources"));
  }
}

/** Clears the values of a field whose widget is below an area. */
export function clearField(widget: PDFDict): void {
  let field: PDFDict | undefined = widget;
  for (let depth = 0; field && depth < 32; depth++) {
    for (const name of ["V", "DV", "RV"]) field.delete(key(name));
    removeDrawing(field);
    const parent: PDFObject | undefined = field.lookup(key("Parent"));
    field = parent instanceof PDFDict ? parent : undefined;
  }
  widget.set(key("F"), PDFNumber.of(4));
  if (widget.lookup(key("AS")) instanceof PDFName) widget.set(key("AS"), key("Off"));
}
