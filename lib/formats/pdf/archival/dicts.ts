import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFStream } from "@cantoo/pdf-lib";
import type { ArchivalLevel } from "./levels.ts";
import { allDicts, dictOf, key, nameAt } from "./walk.ts";

/** Actions that PDF/A forbids (ISO 19005-2, 6.5.1). */
const forbiddenActions = [
  "Launch",
  "Sound",
  "Movie",
  "ResetForm",
  "ImportData",
  "JavaScript",
  "Hide",
  "SetOCGState",
  "Rendition",
  "Trans",
  "GoTo3DView",
  "RichMediaExecute",
  "set-state",
  "no-op",
  "GoToE",
];

const namedActions = ["NextPage", "PrevPage", "FirstPage", "LastPage"];

const intents = ["RelativeColorimetric", "AbsoluteColorimetric", "Perceptual", "Saturation"];

/** Removes what PDF/A forbids in any dictionary. Returns the number of actions. */
export function conformDicts(document: PDFDocument, level: ArchivalLevel): number {
  let actions = 0;
  for (const { dict, owner } of allDicts(document)) {
    actions += removeActions(dict);
    const type = nameAt(dict, "Type");
    const subtype = nameAt(dict, "Subtype");
    // Metadata of parts of the document would have to be checked, too.
    if (dict.lookup(key("Metadata")) instanceof PDFStream) dict.delete(key("Metadata"));
    if (owner instanceof PDFStream) conformStream(dict, subtype);
    if (type === "/ExtGState" || isGraphicsState(dict)) conformGraphicsState(dict);
    if (type === "/FontDescriptor" && level !== "1b") {
      // The lists of glyphs are optional, and many do not name all. Part 1 wants those of Ghostscript.
      for (const name of ["CIDSet", "CharSet"]) dict.delete(key(name));
    }
    if (subtype === "/CIDFontType2" && !dict.has(key("CIDToGIDMap"))) {
      dict.set(key("CIDToGIDMap"), key("Identity"));
    }
  }
  return actions;
}

function removeActions(dict: PDFDict): number {
  let count = 0;
  for (const name of ["A", "OpenAction", "Next", "PA"]) {
    const value = dict.lookup(key(name));
    const items = value instanceof PDFArray ? value.asArray() : [value];
    const isForbidden = items.some((item) => {
      const action = dictOf(dict.context.lookup(item));
      return action !== undefined && isForbiddenAction(action);
    });
    if (isForbidden) count += Number(dict.delete(key(name)));
  }
  if (dict.lookup(key("AA")) instanceof PDFDict) count += Number(dict.delete(key("AA")));
  return count;
}

function isForbiddenAction(action: PDFDict): boolean {
  const type = nameAt(action, "S").slice(1);
  if (type === "Named") return !namedActions.includes(nameAt(action, "N").slice(1));
  return forbiddenActions.includes(type);
}

function conformStream(dict: PDFDict, subtype: string): void {
  // The data of a stream is in the file.
  for (const name of ["F", "FFilter", "FDecodeParms"]) dict.delete(key(name));
  if (subtype === "/Image") {
    for (const name of ["Alternates", "OPI", "Interpolate"]) dict.delete(key(name));
    const intent = dict.lookup(key("Intent"));
    if (intent && !isOneOf(intent, intents)) dict.delete(key("Intent"));
  }
  if (subtype === "/Form") {
    for (const name of ["OPI", "Ref", "PS", "Subtype2"]) dict.delete(key(name));
  }
}

/** The type is optional. */
function isGraphicsState(dict: PDFDict): boolean {
  const names = ["TR", "TR2", "HTP", "HT", "BG2", "UCR2", "SMask", "BM", "ca", "CA"];
  return !dict.has(key("Type")) && !dict.has(key("Subtype")) && names.some((n) => dict.has(key(n)));
}

function conformGraphicsState(dict: PDFDict): void {
  for (const name of ["TR", "TR2", "HTP", "HT"]) dict.delete(key(name));
  const intent = dict.lookup(key("RI"));
  if (intent && !isOneOf(intent, intents)) dict.delete(key("RI"));
}

function isOneOf(value: unknown, names: readonly string[]): boolean {
  return value instanceof PDFName && names.includes(`${value}`.slice(1));
}
