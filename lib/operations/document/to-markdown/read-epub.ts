import { posix } from "node:path";
import { JobError } from "#lib/errors.ts";
import { decodePath, rejectEncryptedBook } from "#lib/formats/office/book-encryption.ts";
import type { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import { attribute, child, children, descendants } from "#lib/formats/office/package/xml.ts";
import type { ImageCollector } from "./content/images.ts";
import type { Omitted } from "./content/omitted.ts";
import { readHtml } from "./read-html.ts";

/** The chapters of an EPUB in their order, without its table of contents. */
export async function readEpub(
  document: DocumentPackage,
  images: ImageCollector,
  omitted: Omitted,
): Promise<string> {
  const container = await document.requireXml("META-INF/container.xml");
  const root = container.documentElement;
  const path =
    root && attribute(descendants(root, "rootfile").next().value ?? undefined, "full-path");
  if (!path) throw new JobError("corrupt", "The document is damaged: it names no package file.");
  const opf = await document.requireXml(path);
  const manifest = opf.documentElement && child(opf.documentElement, "manifest");
  const items = new Map(
    (manifest ? children(manifest, "item") : []).map((item) => [attribute(item, "id") ?? "", item]),
  );
  const spine = opf.documentElement && child(opf.documentElement, "spine");
  const chapters: string[] = [];
  for (const reference of spine ? children(spine, "itemref") : []) {
    const item = items.get(attribute(reference, "idref") ?? "");
    const isContents = /\bnav\b/.test(attribute(item, "properties") ?? "");
    if (!item || isContents || !/html/.test(attribute(item, "media-type") ?? "")) continue;
    chapters.push(resolvePath(path, attribute(item, "href") ?? ""));
  }
  if (chapters.length === 0) throw new JobError("corrupt", "The book has no chapters.");
  rejectEncryptedBook(await document.readText("META-INF/encryption.xml"), chapters);
  const parts: string[] = [];
  for (const chapter of chapters) {
    parts.push(await readChapter(document, chapter, images, omitted));
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
    readImage: (source) => document.read(resolvePath(name, source)),
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

function resolvePath(from: string, href: string): string {
  const [path = ""] = href.split("#");
  return posix.join(posix.dirname(from), decodePath(path));
}
