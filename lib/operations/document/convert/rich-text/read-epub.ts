import { readChapter } from "#lib/formats/html/read-chapter.ts";
import { type Book, readBook, resolveInBook } from "#lib/formats/office/package/read-book.ts";
import { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import { type FileLimits, limitError } from "#lib/limits/limits.ts";
import type { Block, RichText } from "./model.ts";
import type { PictureStore } from "./pictures.ts";
import { toRichText } from "./to-rich-text.ts";

/** A size that no picture of a book reaches. */
const maxPictureBytes = 100e6;

/** Reads the chapters of an EPUB in the order of its spine. Throws `JobError`: `corrupt`, `encrypted`, `too_complex`. */
export async function readEpub(
  path: string,
  store: PictureStore,
  limits: FileLimits,
): Promise<RichText> {
  const document = await DocumentPackage.open(path, limits);
  try {
    const { title, language, chapters } = await readBook(document);
    return { title, language, blocks: await readChapters(document, chapters, store, limits) };
  } finally {
    document.close();
  }
}

async function readChapters(
  document: DocumentPackage,
  chapters: Book["chapters"],
  store: PictureStore,
  { officeTextBytes }: FileLimits,
): Promise<Block[]> {
  const rejectLarge = (name: string, maxBytes: number) => {
    if ((document.sizeOf(name) ?? 0) <= maxBytes) return;
    throw limitError("officeTextBytes", officeTextBytes);
  };
  const blocks: Block[] = [];
  for (const { path } of chapters) {
    rejectLarge(path, officeTextBytes);
    const page = await readChapter(document, path);
    if (page === undefined) continue;
    // Pictures are read before the text, whose reader does not wait.
    const known = new Map<string, string | undefined>();
    for (const image of Array.from(page.body.querySelectorAll("img"))) {
      const src = image.getAttribute("src") ?? "";
      if (/^data:/i.test(src)) {
        known.set(src, store.addDataUrl(src));
        continue;
      }
      const name = resolveInBook(path, src);
      rejectLarge(name, maxPictureBytes);
      known.set(src, store.add(name, await document.read(name)));
    }
    blocks.push(...toRichText(page, (src) => known.get(src)).blocks);
  }
  return blocks;
}
