import { createHash } from "node:crypto";
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";

/** Finds the image objects of a PDF that pdf-lib has opened. */

export interface FoundImage {
  readonly ref: PDFRef;
  readonly stream: PDFRawStream;
  /** The first page that has it; the first page is 1. */
  readonly page: number;
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Entries that lead out of a page: to its parents, to other pages, to structure and to actions. */
const leavingKeys = new Set(
  ["Parent", "P", "Popup", "Dest", "A", "AA", "StructParent", "B", "IRT", "Thumb", "PieceInfo"].map(
    (name) => `/${name}`,
  ),
);

/**
 * The images that pages, their forms, patterns and annotations have, in the order of the pages. Masks are
 * parts of their images. An image with the same data and masks as another one is left out.
 */
export function findImages(document: PDFDocument): FoundImage[] {
  const { context } = document;
  const visited = new Set<PDFObject>();
  const hashes = new Set<string>();
  const images: FoundImage[] = [];
  for (const [index, page] of document.getPages().entries()) {
    const resources = page.node.Resources();
    const waiting: PDFObject[] = [page.node, ...(resources ? [resources] : [])];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const value = next instanceof PDFRef ? context.lookup(next) : next;
      if (!value || visited.has(value)) continue;
      visited.add(value);
      if (value instanceof PDFArray) waiting.push(...value.asArray().toReversed());
      const dict = value instanceof PDFStream ? value.dict : value;
      if (!(dict instanceof PDFDict)) continue;
      if (value instanceof PDFRawStream && isImage(dict)) {
        if (!(next instanceof PDFRef)) continue;
        const width = readNumber(dict, "Width");
        const height = readNumber(dict, "Height");
        const hash = hashImage(value, context);
        const isKnown = hashes.has(hash);
        hashes.add(hash);
        if (!isKnown) images.push({ ref: next, stream: value, page: index + 1, width, height });
        continue;
      }
      const entries = dict.entries().filter(([key]) => !leavingKeys.has(key.toString()));
      waiting.push(...entries.map(([, entry]) => entry).toReversed());
    }
  }
  return images;
}

export function isImage(dict: PDFDict): boolean {
  return dict.lookup(PDFName.of("Subtype")) === PDFName.of("Image");
}

/** The number of an entry; 0 if it is missing or is no number. */
export function readNumber(dict: PDFDict, name: string): number {
  const value = dict.lookup(PDFName.of(name));
  return value instanceof PDFNumber ? value.asNumber() : 0;
}

/** A hash of the data, the dictionary and the masks; the same for images that look the same. */
function hashImage(image: PDFRawStream, context: PDFContext): string {
  const hash = createHash("sha256");
  const addStream = ({ dict, contents }: PDFRawStream) => {
    for (const [key, value] of dict.entries()) {
      const isMask = key === PDFName.of("SMask") || key === PDFName.of("Mask");
      const target = isMask ? context.lookup(value) : undefined;
      if (target instanceof PDFRawStream) addStream(target);
      else hash.update(`${key} ${value}\n`);
    }
    hash.update(contents);
  };
  addStream(image);
  return hash.digest("base64");
}
