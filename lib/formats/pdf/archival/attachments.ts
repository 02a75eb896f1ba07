import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  type PDFRef,
} from "@cantoo/pdf-lib";
import type { ArchivalLevel } from "./levels.ts";
import { allDicts, dictAt, key } from "./walk.ts";

/**
 * Part 3 allows files of any type and wants their relationship to the document. Part 2 allows PDF/A files
 * only, and part 1 none; they are removed. Returns the number of removed ones.
 */
export function conformAttachments(document: PDFDocument, level: ArchivalLevel): number {
  const { catalog, context } = document;
  registerSpecifications(document);
  const specifications: { dict: PDFDict; ref: PDFRef | undefined }[] = [];
  const refs = new Map<PDFObject, PDFRef>();
  for (const [ref, object] of context.enumerateIndirectObjects()) refs.set(object, ref);
  for (const { dict } of allDicts(document)) {
    if (dictAt(dict, "EF")) specifications.push({ dict, ref: refs.get(dict) });
  }
  if (level !== "3b") {
    for (const { dict } of specifications) dict.delete(key("EF"));
    dictAt(catalog, "Names")?.delete(key("EmbeddedFiles"));
    for (const { dict } of allDicts(document)) {
      if (dict.lookup(key("AF")) && !(dict.get(key("AF")) instanceof PDFName)) {
        dict.delete(key("AF"));
      }
    }
    catalog.delete(key("Collection"));
    return specifications.length;
  }
  for (const { dict } of specifications) conformSpecification(dict);
  const associated = specifications.flatMap(({ ref }) => (ref ? [ref] : []));
  if (associated.length > 0) catalog.set(key("AF"), context.obj(associated));
  return 0;
}

/** Gives the files of the list of attachments numbers, so that the catalog can refer to them. */
function registerSpecifications(document: PDFDocument): void {
  for (const { dict } of allDicts(document)) {
    const names = dict.lookup(key("Names"));
    if (!(names instanceof PDFArray)) continue;
    for (const [index, item] of names.asArray().entries()) {
      const isDirect = item instanceof PDFDict && item.has(key("EF"));
      if (isDirect) names.set(index, document.context.register(item));
    }
  }
}

function conformSpecification(dict: PDFDict): void {
  const files = dictAt(dict, "EF");
  const name = dict.get(key("UF")) ?? dict.get(key("F"));
  if (name) {
    for (const entry of ["F", "UF"]) if (!dict.has(key(entry))) dict.set(key(entry), name);
  }
  if (!dict.has(key("AFRelationship"))) dict.set(key("AFRelationship"), key("Unspecified"));
  for (const entry of ["F", "UF"]) {
    const file = files && dictAt(files, entry);
    if (!file) continue;
    const type = file.lookup(key("Subtype"));
    const isMediaType = type instanceof PDFName && /^[\w.+-]+\/[\w.+-]+$/.test(type.decodeText());
    if (!isMediaType) file.set(key("Subtype"), PDFName.of("application/octet-stream"));
    if (!file.has(key("Params"))) file.set(key("Params"), dict.context.obj({}));
  }
}
