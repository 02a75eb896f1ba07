import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";

export const key = (text: string) => PDFName.of(text);

/** Entries whose dictionary has free names, which may be equal to those of entries with a meaning. */
const namedEntries = [
  "Font",
  "XObject",
  "ExtGState",
  "ColorSpace",
  "Pattern",
  "Shading",
  "Properties",
  "CharProcs",
  "Dests",
  "RoleMap",
  "ClassMap",
  "N",
  "D",
  "R",
  "Colorants",
].map(key);

const maxDepth = 200;

/** The dictionary of `object`, if it is one or a stream. */
export function dictOf(object: PDFObject | undefined): PDFDict | undefined {
  return object instanceof PDFStream ? object.dict : object instanceof PDFDict ? object : undefined;
}

/** Every dictionary of the document with the object that has it, except those with free names. */
export function allDicts(document: PDFDocument): { dict: PDFDict; owner: PDFObject }[] {
  const found: { dict: PDFDict; owner: PDFObject }[] = [];
  const named = new Set<PDFObject>();
  const visit = (object: PDFObject, depth: number) => {
    if (depth > maxDepth) return;
    if (object instanceof PDFArray) for (const item of object.asArray()) visit(item, depth + 1);
    const dict = dictOf(object);
    if (!dict) return;
    found.push({ dict, owner: object });
    for (const [name, value] of dict.entries()) {
      const target = namedEntries.includes(name) ? dict.lookup(name) : undefined;
      if (target instanceof PDFDict) named.add(target);
      if (!(value instanceof PDFRef)) visit(value, depth + 1);
    }
  };
  for (const [, object] of document.context.enumerateIndirectObjects()) visit(object, 0);
  return found.filter(({ dict }) => !named.has(dict));
}

/** The text of the name at `entry`, with its slash. */
export function nameAt(dict: PDFDict, entry: string): string {
  const value = dict.lookup(key(entry));
  return value instanceof PDFName ? `${value}` : "";
}

export function dictAt(dict: PDFDict, entry: string): PDFDict | undefined {
  return dictOf(dict.lookup(key(entry)));
}

export function arrayAt(dict: PDFDict, entry: string): readonly PDFObject[] {
  const value = dict.lookup(key(entry));
  return value instanceof PDFArray ? value.asArray() : [];
}
