import type { PDFDict, PDFObject, PDFRef } from "@cantoo/pdf-lib";

/** What the pages of a document lost, for the objects that refer to their content from elsewhere. */
export interface Losses {
  /** Identifiers of marked content that lost something, by the page or form XObject that has it. */
  readonly marked: Map<PDFObject, Set<number>>;
  /** The new objects of XObjects and property lists that were replaced. */
  readonly replaced: Map<PDFObject, PDFRef>;
  /** Pages that become pictures. */
  readonly pictures: Set<PDFDict>;
}

export const createLosses = (): Losses => ({
  marked: new Map(),
  replaced: new Map(),
  pictures: new Set(),
});
