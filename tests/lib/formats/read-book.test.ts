import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readBook } from "#lib/formats/office/package/read-book.ts";
import { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import { widestLimits } from "#lib/limits/limits.ts";
import { makeZip, type ZipPart } from "#tests/samples/zip.ts";

const container = `<container><rootfiles><rootfile full-path="O E/b.opf"/></rootfiles></container>`;
const metadata = `<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title id="t"> Tom &#38; <!-- x -->Ann</dc:title><dc:language>de</dc:language></metadata>`;
const manifest = `<manifest><!-- <item id="no" href="no.xhtml" media-type="text/html"/> --><item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="a" href="../a%20b.xhtml#x" media-type="application/xhtml+xml"/><item id="i" href="i.png" media-type="image/png"/></manifest>`;
const spine = `<spine><itemref idref="n"/><itemref idref="i"/><itemref idref="a"/><itemref idref="no"/></spine>`;
const description = `<package>${metadata}${manifest}${spine}</package>`;

async function read(content: string | Buffer, parts: ZipPart[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-book-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "book.epub");
  const files = [
    { name: "META-INF/container.xml", content: container },
    { name: "O E/b.opf", content },
    ...parts,
  ];
  writeFileSync(path, makeZip(files));
  const document = await DocumentPackage.open(path, widestLimits);
  try {
    return await readBook(document);
  } finally {
    document.close();
  }
}

const encryption = (uri: string) => ({
  name: "META-INF/encryption.xml",
  content: `<encryption><CipherReference URI="${uri}"/></encryption>`,
});

const book = {
  title: "Tom & Ann",
  language: "de",
  chapters: [
    { path: "O E/nav.xhtml", isContents: true },
    { path: "a b.xhtml", isContents: false },
  ],
};

test("the pages of a book are read in the order of its spine", async () => {
  expect(await read(description)).toEqual(book);
});

test("a file that is no page is replaced by the first of its fallbacks that is one", async () => {
  const item = (id: string, type: string, fallback: string) =>
    `<item id="${id}" href="${id}.x" media-type="${type}" fallback="${fallback}"/>`;
  const files = [
    item("svg", "image/svg+xml", "gif"),
    item("gif", "image/gif", "page"),
    item("page", "application/xhtml+xml", "svg"),
    item("circle", "image/png", "circle"),
    item("lost", "image/png", "none"),
  ];
  const order = ["svg", "circle", "lost"].map((id) => `<itemref idref="${id}"/>`);
  const { chapters } = await read(
    `<package><manifest>${files.join("")}</manifest><spine>${order.join("")}</spine></package>`,
  );
  expect(chapters).toEqual([{ path: "O E/page.x", isContents: false }]);
});

test("a package file in UTF-16 is read", async () => {
  const little = Buffer.from(`\ufeff${description}`, "utf16le");
  expect(await read(little)).toEqual(book);
  expect(await read(Buffer.from(little).swap16())).toEqual(book);
});

test("a book whose fonts are obfuscated is read, and one with DRM is not", async () => {
  expect(await read(description, [encryption("O%20E/font.otf")])).toEqual(book);
  await expect(read(description, [encryption("a%20b.xhtml")])).rejects.toMatchObject({
    code: "encrypted",
  });
});

test("a book without chapters, or whose package file is no XML, is damaged", async () => {
  const damaged = { code: "corrupt" };
  await expect(read(`<package>${manifest}<spine/></package>`)).rejects.toMatchObject(damaged);
  await expect(read("<package><")).rejects.toMatchObject(damaged);
});
