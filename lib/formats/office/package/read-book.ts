import { posix } from "node:path";
import type { Element } from "@xmldom/xmldom";
import { JobError } from "#lib/errors.ts";
import type { DocumentPackage } from "./read-package.ts";
import { attribute, child, children, descendants } from "./xml.ts";

/** An EPUB (EPUB 3.3, 5 and 6), without the text of its chapters. */
export interface Book {
  /** The title; empty if the book has none, as the language. */
  readonly title: string;
  readonly language: string;
  /** The pages of the book in the order of its spine. */
  readonly chapters: readonly Chapter[];
}

export interface Chapter {
  /** The path in the archive, which need not have this file. */
  readonly path: string;
  /** Whether it is the table of contents. */
  readonly isContents: boolean;
}

/** Titles and languages that are longer are none. */
const maxLabelLength = 1000;

/** So many fallbacks of one item are read. */
const maxFallbacks = 10;

/**
 * Reads a book. Throws `JobError`: `corrupt`, also for a book without chapters, and `encrypted` for
 * one with DRM.
 */
export async function readBook(document: DocumentPackage): Promise<Book> {
  const container = await document.requireXml("META-INF/container.xml");
  const root = container.documentElement;
  const path =
    root && attribute(descendants(root, "rootfile").next().value ?? undefined, "full-path");
  if (!path) throw new JobError("corrupt", "The document is damaged: it names no package file.");
  const description = (await document.requireXml(path)).documentElement ?? undefined;
  const chapters = readSpine(description, path);
  if (chapters.length === 0) throw noChapters();
  await rejectProtection(document, chapters);
  const metadata = child(description, "metadata");
  const label = (name: string) => {
    const text = child(metadata, name)?.textContent?.trim() ?? "";
    return text.length > maxLabelLength ? "" : text;
  };
  return { title: label("title"), language: label("language"), chapters };
}

/** The path in the archive of what a file of the book, `from`, refers to. */
export function resolveInBook(from: string, href: string): string {
  const [path = ""] = href.split("#");
  return posix.join(posix.dirname(from), decodePath(path));
}

export function noChapters(): JobError {
  return new JobError("corrupt", "The book has no chapters.");
}

function readSpine(description: Element | undefined, path: string): Chapter[] {
  const manifest = child(description, "manifest");
  const items = new Map(
    (manifest ? children(manifest, "item") : []).map((item) => [attribute(item, "id") ?? "", item]),
  );
  const spine = child(description, "spine");
  return (spine ? children(spine, "itemref") : []).flatMap((reference) => {
    const item = findPage(items, attribute(reference, "idref"));
    if (!item) return [];
    const isContents = /\bnav\b/.test(attribute(item, "properties") ?? "");
    return [{ path: resolveInBook(path, attribute(item, "href") ?? ""), isContents }];
  });
}

/** The item with this ID if it is a page, or else the first of its fallbacks that is one (EPUB 3.3, 3.5.1). */
function findPage(items: ReadonlyMap<string, Element>, first: string | undefined) {
  let id = first;
  for (let step = 0; id !== undefined && step <= maxFallbacks; step++) {
    const item = items.get(id);
    if (item && /html/.test(attribute(item, "media-type") ?? "")) return item;
    id = attribute(item, "fallback");
  }
  return undefined;
}

/** A book with DRM lists its chapters as encrypted; fonts may be obfuscated in any book. */
async function rejectProtection(document: DocumentPackage, chapters: readonly Chapter[]) {
  const encryption = (await document.readXml("META-INF/encryption.xml"))?.documentElement;
  for (const reference of encryption ? descendants(encryption, "CipherReference") : []) {
    const path = posix.normalize(decodePath(attribute(reference, "URI") ?? ""));
    if (!chapters.some((chapter) => chapter.path === path)) continue;
    throw new JobError("encrypted", "The book is protected (DRM).");
  }
}

/** The path that a URL in a book means; itself if it is badly encoded. */
function decodePath(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
