import { makeZip, type ZipPart } from "../zip.ts";

const xml = `<?xml version="1.0" encoding="UTF-8"?>`;

/** Makes an EPUB with `chapters` in the folder OEBPS, in order, and more `parts`. */
export function makeEpub(
  chapters: readonly ZipPart[],
  parts: readonly ZipPart[] = [],
  title = "Book",
): Buffer {
  const items = chapters.map(
    ({ name }, index) => `<item id="c${index}" href="${name}" media-type="application/xhtml+xml"/>`,
  );
  const order = chapters.map((_, index) => `<itemref idref="c${index}"/>`);
  return makeZip([
    { name: "mimetype", content: "application/epub+zip" },
    {
      name: "META-INF/container.xml",
      content: `${xml}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    },
    {
      name: "OEBPS/content.opf",
      content: `${xml}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:x:1</dc:identifier><dc:title>${title}</dc:title><dc:language>en</dc:language></metadata><manifest>${items.join("")}</manifest><spine>${order.join("")}</spine></package>`,
    },
    ...chapters.map((chapter) => ({ ...chapter, name: `OEBPS/${chapter.name}` })),
    ...parts,
  ]);
}
