import { readChapter } from "#lib/formats/html/read-chapter.ts";
import { noChapters, readBook, resolveInBook } from "#lib/formats/office/package/read-book.ts";
import type { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import type { ImageCollector } from "./content/images.ts";
import type { Omitted } from "./content/omitted.ts";
import { toContent } from "./read-html.ts";

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
    parts.push(await writeChapter(document, path, images, omitted));
  }
  return parts.join("");
}

async function writeChapter(
  document: DocumentPackage,
  path: string,
  images: ImageCollector,
  omitted: Omitted,
) {
  const page = await readChapter(document, path);
  if (page === undefined) {
    omitted.add("chapter");
    return "";
  }
  return toContent(page, {
    images,
    omitted,
    readImage: (source) => document.read(resolveInBook(path, source)),
    // Links within the book lead nowhere in the Markdown.
    rewriteLink: (href) => (/^(https?|mailto):/i.test(href) ? href : undefined),
  });
}
