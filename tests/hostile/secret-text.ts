import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants, inflateSync } from "node:zlib";
import { type Entry, openPromise } from "yauzl";

/**
 * Whether a file contains `text`, a word of Latin letters: in its bytes, in the text or any stream of a
 * PDF, or in any entry of a ZIP archive. Pixels are not read.
 */
export async function containsSecretText(path: string, text: string): Promise<boolean> {
  const bytes = readFileSync(path);
  if (containsText(bytes, text)) return true;
  if (bytes.subarray(0, 1024).includes("%PDF-")) return pdfContains(path, bytes, text);
  return bytes.subarray(0, 4).equals(zipSignature) && (await zipContains(path, text));
}

const zipSignature = Buffer.from("PK\x03\x04", "latin1");

/** How much of one stream is decompressed. */
const maxStreamBytes = 64 * 2 ** 20;

function containsText(bytes: Buffer, text: string): boolean {
  const wide = Buffer.from(text, "utf16le");
  return [text, wide, Buffer.from(wide).swap16()].some((form) => bytes.includes(form));
}

function pdfContains(path: string, bytes: Buffer, text: string): boolean {
  for (let at = bytes.indexOf("stream"); at >= 0; at = bytes.indexOf("stream", at + 6)) {
    const start = at + 6 + (bytes[at + 6] === 13 ? 2 : 1);
    // A zlib header: 32 KiB window, and a check that makes the two bytes a multiple of 31.
    const isDeflated = bytes[start] === 0x78 && bytes.length > start + 1;
    if (!isDeflated || bytes.readUInt16BE(start) % 31 !== 0) continue;
    if (containsText(inflate(bytes.subarray(start)), text)) return true;
  }
  // Fonts map letters to glyph numbers; poppler maps them back.
  const limits = { maxBuffer: maxStreamBytes, timeout: 20_000 };
  return spawnSync("pdftotext", [path, "-"], limits).stdout.includes(text);
}

function inflate(bytes: Buffer): Buffer {
  try {
    const { Z_SYNC_FLUSH: finishFlush } = constants;
    return inflateSync(bytes, { finishFlush, maxOutputLength: maxStreamBytes });
  } catch {
    // Not deflated, or larger than the limit.
    return Buffer.alloc(0);
  }
}

async function zipContains(path: string, text: string): Promise<boolean> {
  const archive = await openPromise(path, { validateEntrySizes: false });
  for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
    const chunks: Buffer[] = [];
    const stream = await archive.openReadStreamPromise(entry).catch(() => []);
    try {
      for await (const chunk of stream) chunks.push(chunk as Buffer);
    } catch {
      // A damaged entry: what was read of it is searched.
    }
    if (containsText(Buffer.concat(chunks), text)) return true;
  }
  return false;
}
