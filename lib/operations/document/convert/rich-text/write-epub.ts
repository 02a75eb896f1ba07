import { randomUUID } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { streamToNew } from "#lib/files/regular-files.ts";
import { escapeXml } from "#lib/formats/markup/escape.ts";
import { type Block, type Pictures, plainText, type RichText } from "./model.ts";
import { writeBlocks } from "./write-html.ts";

/** Blocks of one chapter file; readers are slow with larger ones. */
const maxChapterBlocks = 400;

const xml = `<?xml version="1.0" encoding="UTF-8"?>\n`;

const style = `body { line-height: 1.5; } h1, h2, h3, h4, h5, h6 { line-height: 1.25; page-break-after: avoid; }
table { border-collapse: collapse; } th, td { border: 1px solid #999; padding: 0.3em 0.6em; text-align: start; vertical-align: top; }
img { max-width: 100%; height: auto; } pre { white-space: pre-wrap; font-size: 0.9em; }
blockquote { margin: 1em 0; padding-inline-start: 1em; border-inline-start: 3px solid #bbb; }
`;

interface Chapter {
  readonly name: string;
  readonly title: string;
  /** Whether it begins with a heading, which is in the table of contents. */
  readonly isListed: boolean;
  readonly blocks: readonly Block[];
}

/** Writes an EPUB 3.3 book, with the table of contents of EPUB 2 as well. */
export async function writeEpub(
  text: RichText,
  pictures: Pictures,
  path: string,
  date = new Date(),
): Promise<void> {
  const names = new Map(
    [...pictures].map(([key, { extension }], index) => [key, `images/${index + 1}.${extension}`]),
  );
  const chapters = splitChapters(text);
  const title = text.title || chapters.find(({ isListed }) => isListed)?.title || "Untitled";
  const language = text.language || "und";
  const id = `urn:uuid:${randomUUID()}`;
  const files: [name: string, content: string | Buffer][] = [
    ["META-INF/container.xml", container],
    ["OEBPS/content.opf", writePackage({ id, title, language, date, chapters, names, pictures })],
    ["OEBPS/nav.xhtml", writeNavigation(title, language, chapters)],
    ["OEBPS/toc.ncx", writeContents(id, title, chapters)],
    ["OEBPS/style.css", style],
    ...chapters.map(({ name, title: chapterTitle, blocks }): [string, string] => [
      `OEBPS/${name}`,
      writePage(
        chapterTitle || title,
        language,
        writeBlocks(blocks, pictures, (key) => names.get(key) ?? ""),
      ),
    ]),
    ...[...pictures].map(([key, { content }]): [string, Buffer] => [
      `OEBPS/${names.get(key)}`,
      content,
    ]),
  ];
  const zip = new ZipFile();
  // The first entry, neither compressed nor with extra fields (OCF 3.3, 4.2.6.3).
  const stored = { compress: false, mtime: date, forceDosTimestamp: true };
  zip.addBuffer(Buffer.from("application/epub+zip"), "mimetype", stored);
  for (const [name, content] of files) {
    zip.addBuffer(Buffer.from(content), name, { mtime: date, forceDosTimestamp: true });
  }
  zip.end();
  await pipeline(zip.outputStream, streamToNew(path));
}

/** A chapter for each heading of the highest level that the text has. */
function splitChapters({ blocks, title }: RichText): Chapter[] {
  const levels = blocks.map((block) => (block.kind === "paragraph" ? block.level : undefined));
  const top = Math.min(...levels.filter((level) => level !== undefined), 6);
  const groups: Block[][] = [];
  for (const [index, block] of blocks.entries()) {
    const last = groups.at(-1);
    const begins = levels[index] === top || !last || last.length >= maxChapterBlocks;
    if (begins) groups.push([block]);
    else last.push(block);
  }
  if (groups.length === 0) groups.push([]);
  return groups.map((group, index) => {
    const [first] = group;
    const isListed = first?.kind === "paragraph" && first.level !== undefined;
    const heading = isListed ? plainText(first.inlines).replaceAll("\n", " ") : "";
    return {
      name: `chapter-${index + 1}.xhtml`,
      title: heading || title,
      isListed: isListed || index === 0,
      blocks: group,
    };
  });
}

const container = `${xml}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`;

const imageTypes = { png: "image/png", jpg: "image/jpeg", gif: "image/gif" } as const;

function writePackage(book: {
  readonly id: string;
  readonly title: string;
  readonly language: string;
  readonly date: Date;
  readonly chapters: readonly Chapter[];
  readonly names: ReadonlyMap<string, string>;
  readonly pictures: Pictures;
}): string {
  const modified = book.date.toISOString().replace(/\.\d+Z$/, "Z");
  const pages = book.chapters.map(
    ({ name }, index) =>
      `<item id="c${index + 1}" href="${name}" media-type="application/xhtml+xml"/>`,
  );
  const images = [...book.pictures].map(
    ([key, { extension }], index) =>
      `<item id="i${index + 1}" href="${book.names.get(key)}" media-type="${imageTypes[extension]}"/>`,
  );
  const order = book.chapters.map((_, index) => `<itemref idref="c${index + 1}"/>`);
  return `${xml}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">${book.id}</dc:identifier><dc:title>${escapeXml(book.title)}</dc:title><dc:language>${escapeXml(book.language)}</dc:language><meta property="dcterms:modified">${modified}</meta></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/><item id="style" href="style.css" media-type="text/css"/>${pages.join("")}${images.join("")}</manifest><spine toc="ncx">${order.join("")}</spine></package>`;
}

function listed(chapters: readonly Chapter[], title: string): { name: string; label: string }[] {
  return chapters
    .filter(({ isListed }) => isListed)
    .map(({ name, title: label }) => ({ name, label: escapeXml(label || title) }));
}

function writeNavigation(title: string, language: string, chapters: readonly Chapter[]): string {
  const items = listed(chapters, title).map(
    ({ name, label }) => `<li><a href="${name}">${label}</a></li>`,
  );
  const body = `<nav epub:type="toc"><h1>${escapeXml(title)}</h1><ol>${items.join("")}</ol></nav>`;
  return writePage(title, language, body);
}

function writeContents(id: string, title: string, chapters: readonly Chapter[]): string {
  const points = listed(chapters, title).map(
    ({ name, label }, index) =>
      `<navPoint id="n${index + 1}" playOrder="${index + 1}"><navLabel><text>${label}</text></navLabel><content src="${name}"/></navPoint>`,
  );
  return `${xml}<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head><meta name="dtb:uid" content="${id}"/></head><docTitle><text>${escapeXml(title)}</text></docTitle><navMap>${points.join("")}</navMap></ncx>`;
}

function writePage(title: string, language: string, body: string): string {
  const spoken = escapeXml(language);
  return `${xml}<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${spoken}" xml:lang="${spoken}"><head><title>${escapeXml(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head><body>\n${body}\n</body></html>`;
}
