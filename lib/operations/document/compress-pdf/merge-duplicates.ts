import { createHash } from "node:crypto";
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";

/** Dictionaries that only describe: which of several equal ones an object refers to does not matter. */
const describingTypes = new Set(["/Font", "/FontDescriptor", "/ExtGState"]);

/** Fonts have descriptors, which have streams: equal ones are found from the inside. */
const rounds = 4;

/** Makes all references to equal streams, fonts and graphics states refer to one of them. */
export function mergeDuplicates(context: PDFContext): void {
  for (let round = 0; round < rounds; round++) {
    const first = new Map<string, PDFRef>();
    const replacements = new Map<PDFRef, PDFRef>();
    for (const [ref, object] of context.enumerateIndirectObjects()) {
      const key = hashOf(object);
      if (!key) continue;
      const known = first.get(key);
      if (known) replacements.set(ref, known);
      else first.set(key, ref);
    }
    if (replacements.size === 0) return;
    for (const ref of replacements.keys()) context.delete(ref);
    for (const [, object] of context.enumerateIndirectObjects()) replaceRefs(object, replacements);
  }
}

function hashOf(object: PDFObject): string | undefined {
  const isStream = object instanceof PDFRawStream;
  const isDescription =
    object instanceof PDFDict && describingTypes.has(`${object.get(PDFName.of("Type"))}`);
  if (!isStream && !isDescription) return undefined;
  const hash = createHash("sha256").update(`${isStream ? object.dict : object}`);
  if (isStream) hash.update("\0").update(object.contents);
  return hash.digest("base64");
}

function replaceRefs(object: PDFObject, replacements: ReadonlyMap<PDFRef, PDFRef>): void {
  const waiting: PDFObject[] = [object];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const value = next instanceof PDFStream ? next.dict : next;
    if (value instanceof PDFArray) {
      for (let index = 0; index < value.size(); index++) {
        const item = value.get(index);
        const other = item instanceof PDFRef ? replacements.get(item) : undefined;
        if (other) value.set(index, other);
        else if (!(item instanceof PDFRef)) waiting.push(item);
      }
    } else if (value instanceof PDFDict) {
      for (const [key, item] of value.entries()) {
        const other = item instanceof PDFRef ? replacements.get(item) : undefined;
        if (other) value.set(key, other);
        else if (!(item instanceof PDFRef)) waiting.push(item);
      }
    }
  }
}
