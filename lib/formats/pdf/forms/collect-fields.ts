import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { JobError } from "#lib/errors.ts";
import { pageOfAnnotations } from "../structure/page-boxes.ts";
import { decodeTextString } from "../structure/text-string.ts";

/** Terminal fields of an interactive form (ISO 32000-1, 12.7), as objects of pdf-lib. */

export interface RawWidget {
  readonly dict: PDFDict;
  readonly ref: PDFRef | undefined;
  /** The first is 1; undefined if the widget is on no page. */
  readonly page: number | undefined;
}

export interface RawField {
  /** The names from the root to the field, joined with periods. */
  readonly name: string;
  readonly dict: PDFDict;
  readonly widgets: readonly RawWidget[];
}

const maxFields = 20_000;
const maxDepth = 64;

export const key = (name: string) => PDFName.of(name);

export function readText(value: PDFObject | undefined): string | undefined {
  if (value instanceof PDFString || value instanceof PDFHexString) return decodeTextString(value);
  return undefined;
}

/** The value of an attribute that a field may inherit from its parents. */
export function inherited(field: PDFDict, name: string): PDFObject | undefined {
  let dict: PDFDict | undefined = field;
  for (let depth = 0; dict && depth < maxDepth; depth++) {
    const value = dict.lookup(key(name));
    if (value !== undefined) return value;
    const parent: PDFObject | undefined = dict.lookup(key("Parent"));
    dict = parent instanceof PDFDict ? parent : undefined;
  }
  return undefined;
}

export function readFlags(field: PDFDict): number {
  const flags = inherited(field, "Ff");
  return flags instanceof PDFNumber ? flags.asNumber() : 0;
}

export function formOf(document: PDFDocument): PDFDict | undefined {
  const form = document.catalog.lookup(key("AcroForm"));
  return form instanceof PDFDict ? form : undefined;
}

/** All fields, in the order of the form. Widgets that the form does not list are included. */
export function collectFields(document: PDFDocument): RawField[] {
  const pages = pageOfAnnotations(document);
  const fields: RawField[] = [];
  const seen = new Set<PDFDict>();
  const { context } = document;
  const dictOf = (object: PDFObject | undefined) => {
    const found = object instanceof PDFRef ? context.lookup(object) : object;
    return found instanceof PDFDict ? found : undefined;
  };
  const kidsOf = (dict: PDFDict) => {
    const kids = dict.lookup(key("Kids"));
    return kids instanceof PDFArray ? kids.asArray() : [];
  };
  const toWidget = (object: PDFObject, dict: PDFDict): RawWidget => {
    const ref = object instanceof PDFRef ? object : undefined;
    return { dict, ref, page: ref && pages.get(ref) };
  };
  const visit = (object: PDFObject, parentName: string, depth: number) => {
    const dict = dictOf(object);
    if (!dict || seen.has(dict) || depth > maxDepth) return;
    seen.add(dict);
    const partial = readText(dict.lookup(key("T")));
    const name = [parentName, partial].filter((part) => part).join(".");
    const kids = kidsOf(dict);
    const isField = (kid: PDFObject) => dictOf(kid)?.has(key("T")) ?? false;
    if (kids.some(isField)) {
      for (const kid of kids) visit(kid, name, depth + 1);
      return;
    }
    const widgets: RawWidget[] = [];
    for (const kid of kids) {
      const widget = dictOf(kid);
      if (!widget || seen.has(widget)) continue;
      seen.add(widget);
      widgets.push(toWidget(kid, widget));
    }
    if (kids.length === 0) widgets.push(toWidget(object, dict));
    fields.push({ name, dict, widgets });
    if (fields.length > maxFields) {
      throw new JobError("too_complex", `A form may have at most ${maxFields} fields.`);
    }
  };
  const listed = formOf(document)?.lookup(key("Fields"));
  for (const object of listed instanceof PDFArray ? listed.asArray() : []) visit(object, "", 0);
  for (const ref of pages.keys()) {
    const dict = dictOf(ref);
    if (dict?.lookup(key("Subtype")) !== key("Widget") || seen.has(dict)) continue;
    visit(rootOf(ref, dict), "", 0);
  }
  return fields;
}

function rootOf(ref: PDFRef, widget: PDFDict): PDFRef {
  let found = ref;
  let dict = widget;
  for (let depth = 0; depth < maxDepth; depth++) {
    const parent = dict.get(key("Parent"));
    const next = dict.lookup(key("Parent"));
    if (!(parent instanceof PDFRef && next instanceof PDFDict)) break;
    found = parent;
    dict = next;
  }
  return found;
}
