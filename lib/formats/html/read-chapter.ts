import { escapeText } from "../markup/escape.ts";
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
  return unwrapSections(xhtml)
    .replace(
      /<((?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)[a-zA-Z][\w:-]*)((?:\s[^<>]*)?)\/>/g,
      "<$1$2></$1>",
    )
    .replace(/<(\/?)(?:m|mml|mathml):(?=[a-z])/g, "<$1");
}

/** CDATA sections as text, which HTML would drop. Those within styles and scripts stay: all is text there. */
function unwrapSections(xhtml: string): string {
  const [start = "", ...sections] = xhtml.split("<![CDATA[");
  let inRawText = endsInRawText(start, false);
  const rest = sections.map((section) => {
    const end = section.indexOf("]]>");
    const isText = end !== -1 && !inRawText;
    inRawText = endsInRawText(section.slice(end + 1), inRawText);
    return isText
      ? escapeText(section.slice(0, end)) + section.slice(end + 3)
      : `<![CDATA[${section}`;
  });
  return start + rest.join("");
}

/** Whether a style or a script is open after `xhtml`; `before` is whether one was open before it. */
function endsInRawText(xhtml: string, before: boolean): boolean {
  const opened = Math.max(xhtml.lastIndexOf("<style"), xhtml.lastIndexOf("<script"));
  const closed = Math.max(xhtml.lastIndexOf("</style"), xhtml.lastIndexOf("</script"));
  return opened === closed ? before : opened > closed;
}
