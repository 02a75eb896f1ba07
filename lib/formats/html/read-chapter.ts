import type { DocumentPackage } from "../office/package/read-package.ts";
import { type Page, readPage } from "./read-page.ts";

/** Reads a chapter of an EPUB; undefined if its file is missing. Throws `JobError`: `corrupt`, `too_complex`. */
export async function readChapter(
  document: DocumentPackage,
  path: string,
): Promise<Page | undefined> {
  const xhtml = await document.readText(path);
  return xhtml === undefined ? undefined : readPage(toHtml(xhtml));
}

/** XHTML closes empty elements by a slash, which HTML ignores, and equations may have a prefix. */
function toHtml(xhtml: string): string {
  return xhtml
    .replace(
      /<((?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)[a-zA-Z][\w:-]*)((?:\s[^<>]*)?)\/>/g,
      "<$1$2></$1>",
    )
    .replace(/<(\/?)(?:m|mml|mathml):(?=[a-z])/g, "<$1");
}
