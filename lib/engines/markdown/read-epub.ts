import { posix } from "node:path";
import { JobError } from "#lib/errors.ts";
import type { DocumentPackage } from "../package/read-package.ts";
import { attribute, child, children, descendants } from "../package/xml.ts";
import type { ImageCollector } from "./content/images.ts";
import { readHtml } from "./read-html.ts";

/** The chapters of an EPUB in their order, without its table of contents. */
export async function readEpub(document: DocumentPackage, images: ImageCollector): Promise<string> {
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
  await rejectEncrypted(document, chapters);
  const parts: string[] = [];
  for (const chapter of chapters) parts.push(await readChapter(document, chapter, images));
  return parts.join("");
}

/** A book with DRM lists its chapters as encrypted; fonts may be obfuscated in any book. */
async function rejectEncrypted(document: DocumentPackage, chapters: readonly string[]) {
  const encryption = (await document.readXml("META-INF/encryption.xml"))?.documentElement;
  for (const reference of encryption ? descendants(encryption, "CipherReference") : []) {
    // The paths are those of the archive.
    if (!chapters.includes(resolvePath("", attribute(reference, "URI") ?? ""))) continue;
    throw new JobError("encrypted", "The book is protected (DRM).");
  }
}

async function readChapter(document: DocumentPackage, name: string, images: ImageCollector) {
  const html = await document.readText(name);
  if (html === undefined) return "";
  return readHtml(closeEmptyElements(html), {
    images,
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
  try {
    return posix.join(posix.dirname(from), decodeURIComponent(path));
  } catch {
    return posix.join(posix.dirname(from), path);
  }
}
