/** A text with headings, lists, tables and pictures, without the styles of the format it came from. */

export interface Marks {
  readonly bold?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strike?: true;
  readonly code?: true;
  readonly sub?: true;
  readonly sup?: true;
  /** An absolute `http`, `https` or `mailto` URL. */
  readonly href?: string;
}

/** A piece of a paragraph. A line break is `"\n"`. */
export type Inline =
  | { readonly kind: "text"; readonly text: string; readonly marks: Marks }
  | {
      readonly kind: "picture";
      readonly source: string;
      readonly alt: string;
      readonly width?: number;
    };

export interface Cell {
  readonly blocks: readonly Block[];
  readonly isHeader: boolean;
  readonly columns: number;
  readonly rows: number;
}

export type Block =
  | {
      readonly kind: "paragraph";
      /** The level of a heading, from 1 to 6. */
      readonly level?: number;
      readonly inlines: readonly Inline[];
      /** Whether it runs from right to left. */
      readonly isRightToLeft: boolean;
    }
  | {
      readonly kind: "list";
      readonly start?: number;
      readonly items: readonly (readonly Block[])[];
    }
  | { readonly kind: "table"; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "rule" };

export interface RichText {
  readonly title: string;
  /** A language tag, such as `en`. */
  readonly language: string;
  readonly blocks: readonly Block[];
}

/** A picture that can be embedded, with its size in pixels. */
export interface Picture {
  readonly content: Buffer;
  readonly extension: "png" | "jpg" | "gif";
  readonly width: number;
  readonly height: number;
}

/** The pictures by `source`; those that are not in the file are absent. */
export type Pictures = ReadonlyMap<string, Picture>;

/** The plain text of a paragraph. */
export function plainText(inlines: readonly Inline[]): string {
  return inlines.map((inline) => (inline.kind === "text" ? inline.text : "")).join("");
}
