import { posix } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Entry, openPromise } from "yauzl";
import { JobError } from "#lib/errors.ts";
import { unescapeXml } from "#lib/formats/markup/escape.ts";
import { decodePath, rejectEncryptedBook } from "#lib/formats/office/book-encryption.ts";
import { checkOfficePackage } from "#lib/formats/office/check-package.ts";
import { findTags, tagAttribute } from "#lib/formats/office/xml-tags.ts";
import { isZipDamage } from "#lib/formats/zip/zip-errors.ts";
import { type FileLimits, limitError } from "#lib/limits/limits.ts";
import type { Block, RichText } from "./model.ts";
import type { PictureStore } from "./pictures.ts";
import { readHtml } from "./read-html.ts";

type Files = ReadonlyMap<string, () => Promise<Buffer>>;

/** Reads the chapters of an EPUB in the order of its spine. Throws `JobError`: `corrupt`, `encrypted`. */
export async function readEpub(
  path: string,
  store: PictureStore,
  limits: FileLimits,
): Promise<RichText> {
  await checkOfficePackage(path, limits);
  const { files, close } = await openFiles(path, limits);
  try {
    return await readBook(files, store);
  } catch (cause) {
    throw isZipDamage(cause) ? damaged(cause) : cause;
  } finally {
    close();
  }
}

async function readBook(files: Files, store: PictureStore): Promise<RichText> {
  const container = await readText(files, "META-INF/container.xml");
  const packagePath = tagAttribute(findTags(container, "rootfile")[0] ?? "", "full-path");
  const opf = await readText(files, packagePath);
  const folder = posix.dirname(packagePath);
  const resolve = (base: string, href: string) =>
    posix.normalize(posix.join(base, decodePath(href)));
  const chapters = new Map(
    findTags(opf, "item")
      .filter((item) =>
        /^application\/xhtml\+xml$|^text\/html$/.test(tagAttribute(item, "media-type")),
      )
      .map((item) => [tagAttribute(item, "id"), resolve(folder, tagAttribute(item, "href"))]),
  );
  const spine = findTags(opf, "itemref").flatMap(
    (item) => chapters.get(tagAttribute(item, "idref")) ?? [],
  );
  const isEncrypted = files.has("META-INF/encryption.xml");
  rejectEncryptedBook(
    isEncrypted ? await readText(files, "META-INF/encryption.xml") : undefined,
    spine,
  );
  const blocks: Block[] = [];
  for (const chapter of spine) {
    if (!files.has(chapter)) continue;
    // Pictures are read before the text, whose reader does not wait.
    const html = await readText(files, chapter);
    const base = posix.dirname(chapter);
    const known = new Map<string, string | undefined>();
    for (const [, src = ""] of html.matchAll(
      /<(?:img|image)\b[^<>]{0,4000}?\b(?:src|href)\s*=\s*["']([^"']{1,2000})["']/gi,
    )) {
      const name = resolve(base, src.split("#")[0] ?? "");
      known.set(src, store.add(name, await files.get(name)?.()));
    }
    blocks.push(...readHtml(html, (src) => known.get(src)).blocks);
  }
  if (spine.length === 0) throw damaged(new Error("no chapters"));
  const read = (name: string) =>
    unescapeXml(
      new RegExp(`<dc:${name}\\b[^>]{0,500}>([^<]{1,1000})<`).exec(opf)?.[1] ?? "",
    ).trim();
  return { title: read("title"), language: read("language"), blocks };
}

async function openFiles(path: string, { officeTextBytes }: FileLimits) {
  const archive = await openPromise(path, { autoClose: false }).catch((cause) => {
    throw isZipDamage(cause) ? damaged(cause) : cause;
  });
  const files = new Map<string, () => Promise<Buffer>>();
  for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
    files.set(entry.fileName, async () => {
      const limit = /\.(x?html?|xml|opf)$/i.test(entry.fileName) ? officeTextBytes : 100e6;
      if (entry.uncompressedSize > limit) throw limitError("officeTextBytes", officeTextBytes);
      return buffer(await archive.openReadStreamPromise(entry));
    });
  }
  return { files, close: () => archive.close() };
}

async function readText(files: Files, path: string): Promise<string> {
  const read = files.get(path);
  if (!read) throw damaged(new Error(`no file ${path}`));
  const bytes = await read();
  const encoding = bytes[0] === 0xff ? "utf-16le" : bytes[0] === 0xfe ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

function damaged(cause: unknown): JobError {
  return new JobError("corrupt", "The book is damaged.", { cause });
}
