import { inflateSync } from "node:zlib";
import { PDFDict, type PDFDocument, PDFRawStream } from "@cantoo/pdf-lib";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { key } from "#lib/formats/pdf/archival/walk.ts";
import { countGlyphs } from "#lib/formats/pdf/text/glyph-count.ts";
import { openDocument } from "../pdf/open-document.ts";

/**
 * Worker function: a copy of a PDF that Chromium has printed, in which fonts list their glyphs. PDF/A-1 wants the list
 * of every subset of a font whose glyphs are selected by number (ISO 19005-1, 6.3.5).
 */
export const listGlyphs = async ({ files: [file], work }: WorkerCall) => {
  if (!file) throw new Error("the call has no file");
  const document = await openDocument(file);
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (object instanceof PDFDict) addList(document, object);
  }
  const output = work.scratch("pdf");
  const bytes = await document.save({ useObjectStreams: false, addDefaultPage: false });
  await writeNew(output.path, bytes);
  return { outputs: [output] };
};

/** The most bytes of a font; subsets are much smaller. */
const maxFontBytes = 64 * 2 ** 20;

/** Chromium numbers the glyphs of such a font as the font itself. Each of them is in the file, some without an outline. */
function addList({ context }: PDFDocument, descriptor: PDFDict): void {
  const font = descriptor.lookup(key("FontFile2"));
  if (!(font instanceof PDFRawStream) || descriptor.has(key("CIDSet"))) return;
  const isFlate = font.dict.lookup(key("Filter")) === key("FlateDecode");
  const data = Buffer.from(font.getContents());
  const bytes = isFlate ? inflateSync(data, { maxOutputLength: maxFontBytes }) : data;
  const count = countGlyphs(bytes);
  const list = Buffer.alloc(Math.ceil(count / 8), 0xff);
  // The first glyph is the highest bit of the first byte.
  const last = list.length - 1;
  if (count % 8 !== 0) list[last] = 0xff & (0xff << (8 - (count % 8)));
  if (count > 0) descriptor.set(key("CIDSet"), context.register(context.flateStream(list)));
}
