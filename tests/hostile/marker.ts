import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants, inflateSync } from "node:zlib";
import { type Entry, openPromise } from "yauzl";

/**
 * Whether `marker`, a word of Latin letters, stands in a file: in its bytes, in the text or in any
 * stream of a PDF, in any part of a ZIP archive. Pixels are not read.
 */
export async function tellsMarker(path: string, marker: string): Promise<boolean> {
  const bytes = readFileSync(path);
  if (holds(bytes, marker)) return true;
  if (bytes.subarray(0, 1024).includes("%PDF-")) return pdfTells(path, bytes, marker);
  return bytes.subarray(0, 4).equals(zipMark) && (await zipTells(path, marker));
}

const zipMark = Buffer.from("PK\x03\x04", "latin1");

/** The most of one stream that is unpacked to look at it. */
const mostBytes = 64 * 2 ** 20;

function holds(bytes: Buffer, marker: string): boolean {
  const wide = Buffer.from(marker, "utf16le");
  return [marker, wide, Buffer.from(wide).swap16()].some((form) => bytes.includes(form));
}

function pdfTells(path: string, bytes: Buffer, marker: string): boolean {
  for (let at = bytes.indexOf("stream"); at >= 0; at = bytes.indexOf("stream", at + 6)) {
    const start = at + 6 + (bytes[at + 6] === 13 ? 2 : 1);
    // A zlib header: 32 KiB window, and a check that makes the two bytes a multiple of 31.
    const isDeflated = bytes[start] === 0x78 && bytes.length > start + 1;
    if (!isDeflated || bytes.readUInt16BE(start) % 31 !== 0) continue;
    if (holds(inflate(bytes.subarray(start)), marker)) return true;
  }
  // Fonts give letters numbers of their own, which poppler reads back.
  const limits = { maxBuffer: mostBytes, timeout: 20_000 };
  return spawnSync("pdftotext", [path, "-"], limits).stdout.includes(marker);
}

function inflate(bytes: Buffer): Buffer {
  try {
    const { Z_SYNC_FLUSH: finishFlush } = constants;
    return inflateSync(bytes, { finishFlush, maxOutputLength: mostBytes });
  } catch {
    // Not deflated after all, or larger than anything that would hide a word.
    return Buffer.alloc(0);
  }
}

async function zipTells(path: string, marker: string): Promise<boolean> {
  const archive = await openPromise(path, { validateEntrySizes: false });
  for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
    const chunks: Buffer[] = [];
    const stream = await archive.openReadStreamPromise(entry).catch(() => []);
    try {
      for await (const chunk of stream) chunks.push(chunk as Buffer);
    } catch {
      // A part that was damaged before: what could be read of it is looked at.
    }
    if (holds(Buffer.concat(chunks), marker)) return true;
  }
  return false;
}
