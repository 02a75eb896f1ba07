import type { PDFDict, PDFObject, PDFStream } from "@cantoo/pdf-lib";
import type { Corners } from "#lib/formats/pdf/structure/corners.ts";
import type { Matrix } from "#lib/formats/pdf/structure/matrix.ts";

/** The content cannot be rewritten with certainty, so that the page has to become a picture. */
export class UncertainContent extends Error {
  override readonly name = "UncertainContent";
}

export interface Glyph {
  /** The center of the glyph in the coordinates of the page. */
  readonly center: readonly [number, number];
  readonly box: Corners;
}

/** Decides what a content stream loses. */
export interface Rewriter {
  /** Whether a glyph is removed. */
  removesGlyph(glyph: Glyph): boolean;
  /** Areas in which everything is removed; drawings in others stay. */
  readonly regions: readonly Corners[];
  /** All areas; images lose what is below them. */
  readonly areas: readonly Corners[];
  /** The new name of an image that loses pixels. */
  replaceImage(image: PDFStream, matrix: Matrix, resources: PDFDict): Promise<string>;
  /** The new name of a form XObject with other content. */
  replaceForm(form: PDFStream, content: string, resources: PDFDict, own: PDFDict): string;
  /** The new name of a property list that loses its text. */
  replaceProperties(properties: PDFDict, resources: PDFDict): string;
  /** Records that marked content of a page or form XObject loses something. */
  recordLoss(owner: PDFObject, identifier: number): void;
}
