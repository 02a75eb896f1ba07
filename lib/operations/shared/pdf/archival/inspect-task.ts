import { inflateSync } from "node:zlib";
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import type { ArchivalLevel } from "#lib/formats/pdf/archival/levels.ts";
import { allDicts, dictAt, key, nameAt } from "#lib/formats/pdf/archival/walk.ts";
import { readTextLine } from "#lib/formats/pdf/structure/text-string.ts";
import { openDocument, translateStructureErrors } from "../open-document.ts";
import { conformObjects, saveOptions } from "./conform-task.ts";
import type { ArchivalFacts } from "./facts.ts";

/**
 * Worker function: the facts of a PDF whose streams have no filters but Flate and those of images, and a
 * copy with the objects as they must be: Ghostscript drops annotations that are not.
 */
export const inspectDocument = async (call: WorkerCall<{ level: ArchivalLevel }>) => {
  const { files, options, work } = call;
  const [file] = files;
  if (!file) throw new Error("no file");
  const document = await openDocument(file);
  return translateStructureErrors(async () => {
    const { catalog } = document;
    const fields = dictAt(catalog, "AcroForm")?.lookup(key("Fields"));
    const language = readTextLine(catalog.lookup(key("Lang")));
    const layers = catalog.get(key("OCProperties"));
    const info = takeInfo(document);
    const result: ArchivalFacts = {
      hasOtherColors: hasOtherColors(document),
      hasTransparency: hasTransparency(document),
      isTagged: catalog.has(key("StructTreeRoot")),
      hasForm: fields instanceof PDFArray && fields.size() > 0,
      ...(language ? { language } : {}),
      info,
      // It changes the document, so it is the last one.
      dropped: conformObjects(document, options.level),
    };
    // They say what Ghostscript draws.
    if (layers) catalog.set(key("OCProperties"), layers);
    const output = work.scratch("pdf");
    await writeNew(output.path, await document.save(saveOptions));
    return { outputs: [output], result };
  });
};

const textNames = ["Title", "Author", "Subject", "Keywords", "Creator", "Producer"];

/**
 * Reads the information dictionary, and replaces it: each step until a new one is written would read its texts again,
 * which may have megabytes. Without one, Ghostscript 10.0 drops the bookmarks.
 */
function takeInfo({ context }: PDFDocument): Record<string, string> {
  const { Info: given } = context.trailerInfo;
  const info = context.lookup(given);
  if (given instanceof PDFRef) context.delete(given);
  context.trailerInfo.Info = context.register(context.obj({ Producer: PDFString.of("Mediamill") }));
  if (!(info instanceof PDFDict)) return {};
  const found: Record<string, string> = {};
  for (const name of textNames) {
    const text = readTextLine(info.lookup(key(name)));
    if (text) found[name] = text;
  }
  for (const name of ["CreationDate", "ModDate"]) {
    const value = info.lookup(key(name));
    if (!(value instanceof PDFString || value instanceof PDFHexString)) continue;
    try {
      found[name] = `${value.decodeDate().toISOString().slice(0, 19)}Z`;
    } catch {
      // It is not a date, which PDF/A forbids.
    }
  }
  return found;
}

const deviceCmyk = key("DeviceCMYK");

/** Operators that set a CMYK color, or an inline image in CMYK or compressed with LZW. */
const cmykPattern = /(?<![\d.])(?:[\d.]+\s+){4}[kK](?=\s|$)|\/(?:DeviceCMYK|CMYK|LZWDecode|LZW)\b/;

/** The largest content stream in bytes. A page has a few megabytes at most. */
const maxContentBytes = 2 ** 28;

function hasOtherColors(document: PDFDocument): boolean {
  for (const { dict } of allDicts(document)) {
    for (const [, value] of dict.entries()) {
      if (value === deviceCmyk || (value instanceof PDFArray && mentionsCmyk(value))) return true;
    }
  }
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (object instanceof PDFArray && mentionsCmyk(object)) return true;
    if (object instanceof PDFRawStream && mayBeContent(object.dict)) {
      if (cmykPattern.test(readContent(object))) return true;
    }
  }
  return false;
}

const normalModes = [key("Normal"), key("Compatible")];

/** Whether a graphics state or a picture lets what lies below show through. */
function hasTransparency(document: PDFDocument): boolean {
  for (const { dict } of allDicts(document)) {
    if (dict.has(key("SMask")) && dict.lookup(key("SMask")) !== key("None")) return true;
    const mode = dict.lookup(key("BM"));
    if (mode instanceof PDFName && !normalModes.includes(mode)) return true;
    for (const name of ["ca", "CA"]) {
      const alpha = dict.lookup(key(name));
      if (alpha instanceof PDFNumber && alpha.asNumber() < 1) return true;
    }
  }
  return false;
}

function mentionsCmyk(array: PDFArray): boolean {
  return array.asArray().some((item) => {
    if (item instanceof PDFArray) return mentionsCmyk(item);
    return item === deviceCmyk;
  });
}

/** Streams of content that is on no form or page have no type at all. */
function mayBeContent(dict: PDFDict): boolean {
  const subtype = nameAt(dict, "Subtype");
  if (subtype === "/Form" || dict.has(key("PatternType"))) return true;
  return subtype === "" && !dict.has(key("Type")) && !dict.has(key("Length1"));
}

function readContent(stream: PDFRawStream): string {
  const filter = stream.dict.lookup(key("Filter"));
  const first = filter instanceof PDFArray ? filter.lookup(0) : filter;
  const bytes = Buffer.from(stream.getContents());
  if (!(first instanceof PDFName)) return bytes.toString("latin1");
  if (first !== key("FlateDecode")) return "";
  try {
    return inflateSync(bytes, { maxOutputLength: maxContentBytes }).toString("latin1");
  } catch {
    return ""; // damaged, or data that an application knows to compress
  }
}
