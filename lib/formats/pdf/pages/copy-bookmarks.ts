import type { PdfCopier } from "../objects/copier.ts";
import { textString } from "../objects/text.ts";
import { type PdfDict, type PdfRef, PdfString } from "../objects/values.ts";
import type { Bookmark, WrittenBookmark } from "./outline.ts";

/** A bookmark to make. */
export interface NewBookmark {
  readonly title: string;
  /** The index of a page; undefined for one that leads nowhere. */
  readonly page: number | undefined;
  readonly children: readonly NewBookmark[];
}

/** A bookmark of a file with its children, in the written file. */
export function copyBookmark(bookmark: Bookmark, copier: PdfCopier): WrittenBookmark {
  const { title, destination, action, look, isOpen, children } = bookmark;
  const target: PdfDict = destination
    ? { "/Dest": copier.value(destination.value) }
    : action === undefined
      ? {}
      : { "/A": copier.value(action) };
  return {
    title: title instanceof PdfString ? title : textString(""),
    target,
    look: copier.value(look) as PdfDict, // `value` of a dictionary is one
    isOpen,
    children: children.map((child) => copyBookmark(child, copier)),
  };
}

/** A new bookmark with its children; `pages`: the pages that were added. */
export function createBookmark(
  { title, page, children }: NewBookmark,
  pages: readonly PdfRef[],
): WrittenBookmark {
  const ref = page === undefined ? undefined : pages[page];
  return {
    title: textString(title),
    target: ref ? goTo(ref) : {},
    isOpen: false,
    children: children.map((child) => createBookmark(child, pages)),
  };
}

/** The target of a bookmark that leads to a page, and keeps the reader's zoom. */
export const goTo = (page: PdfRef): PdfDict => ({ "/Dest": [page, "/XYZ", null, null, null] });
