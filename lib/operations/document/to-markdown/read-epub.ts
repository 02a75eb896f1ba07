import { noChapters, readBook, resolveInBook } from "#lib/formats/office/package/read-book.ts";
import type { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import type { ImageCollector } from "./content/images.ts";
import type { Omitted } from "./content/omitted.ts";
import { readHtml } from "./read-html.ts";

/** The chapters of an EPUB in their order, without its table of contents. */
export async function readEpub(
  document: DocumentPackage,
  images: ImageCollector,
  omitted: Omitted,
): Promise<string> {
  const book = await readBook(document);
  const chapters = book.chapters.filter(({ isContents }) => !isContents);
  if (chapters.length === 0) throw noChapters();
  const parts: string[] = [];
  for (const { path } of chapters) {
    parts.push(await readChapter(document, path, images, omitted));
  }
  return parts.join("");
}

async function readChapter(
  document: DocumentPackage,
  name: string,
  images: ImageCollector,
  omitted: Omitted,
) {
  const html = await document.readText(name);
  if (html === undefined) {
    omitted.add("chapter");
    return "";
  }
  // Equations may have a prefix, which HTML has no use for.
  const plain = closeEmptyElements(html).replace(/<(\/?)(?:m|mml|mathml):(?=[a-z])/g, "<$1");
  return readHtml(plain, {
    images,
    omitted,
    readImage: (source) => document.read(resolveInBook(name, source)),
    // Links within the book lead nowhere in the Markdown.
    rewriteLink: (href) => (/^(https?|mailto):/i.test(href) ? href : undefined),
  });
}

/** XHTML closes empty elements by a slash, which HTML ignores. */
function closeEmptyElements(xhtml: string): string {
  return xhtml.replace(
    /<((?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)[a-zA-Z][\w:-]*)((?:\s[^<>]*)?)\/>/g,
    "<$1$2></$1>",
  );
}
