/** The content of a PDF page. Lengths are in points from the top left of the page as it is shown. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A run of text in one font on one line. */
export interface Run extends Box {
  readonly text: string;
  /** The height of the font. */
  readonly size: number;
  readonly baseline: number;
  readonly bold: boolean;
  readonly italic: boolean;
  /** Every character has the same width. */
  readonly mono: boolean;
  /** Its font is one for equations. */
  readonly isMath: boolean;
  readonly rightToLeft: boolean;
  readonly link?: string | undefined;
  /** The marked content that it belongs to, in a tagged PDF. */
  readonly mark?: string | undefined;
  /** It is decoration, such as a page number, says the file. */
  readonly isArtifact: boolean;
}

/** A straight horizontal or vertical line, such as the border of a table. */
export type Rule = Box;

export interface PageImage extends Box {
  /** The name of its output file. */
  readonly name: string;
}

/** A node of the structure tree: a role with nodes and marked content below it. */
export interface StructureNode {
  readonly role: string;
  readonly alt?: string;
  readonly children: readonly (StructureNode | { readonly type: string; readonly id: string })[];
}

export interface Page {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly runs: readonly Run[];
  readonly rules: readonly Rule[];
  readonly images: readonly PageImage[];
  /** The structure of the page in a tagged PDF. */
  readonly structure?: StructureNode | undefined;
}

/** The smallest box around all. */
export function enclose(boxes: readonly Box[]): Box {
  const [first = { left: 0, top: 0, right: 0, bottom: 0 }, ...rest] = boxes;
  let { left, top, right, bottom } = first;
  for (const box of rest) {
    left = Math.min(left, box.left);
    top = Math.min(top, box.top);
    right = Math.max(right, box.right);
    bottom = Math.max(bottom, box.bottom);
  }
  return { left, top, right, bottom };
}

/** Whether the center of `inner` is in `outer`, widened by `slack`. */
export function contains(outer: Box, inner: Box, slack = 0): boolean {
  const x = (inner.left + inner.right) / 2;
  const y = (inner.top + inner.bottom) / 2;
  return (
    x >= outer.left - slack &&
    x <= outer.right + slack &&
    y >= outer.top - slack &&
    y <= outer.bottom + slack
  );
}
