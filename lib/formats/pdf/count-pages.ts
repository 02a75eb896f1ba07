import type { FileHandle } from "node:fs/promises";
import { openRegular } from "#lib/files/regular-files.ts";

/** Bytes that are read of one object; the root of a page tree is smaller, except in huge documents. */
const windowBytes = 4 * 1024;
const largeWindowBytes = 64 * 1024;

/**
 * The number of pages of a PDF that Chromium or LibreOffice has written: with a classic
 * cross-reference table and uncompressed objects. It reads some small windows of the file and starts no
 * process. Throws if the file has another structure.
 */
export async function countPages(path: string): Promise<number> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    const tail = await readText(file, Math.max(0, size - 2048), 2048);
    const tableOffset = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1]);
    const trailer = tail.slice(tail.lastIndexOf("trailer"));
    const catalog = await readObject(file, tableOffset, /\/Root\s+(\d+) 0 R/.exec(trailer)?.[1]);
    const tree = await readObject(file, tableOffset, /\/Pages\s+(\d+) 0 R/.exec(catalog)?.[1]);
    const count = Number(/\/Count\s+(\d+)/.exec(tree)?.[1]);
    if (!Number.isSafeInteger(count)) throw new Error("the PDF's page tree has no count");
    return count;
  } finally {
    await file.close();
  }
}

/** The text of object `id`, located by the 20-byte rows of the cross-reference table. */
async function readObject(file: FileHandle, tableOffset: number, id?: string): Promise<string> {
  const heading = (await readText(file, tableOffset, 64)).match(/^xref\s+0 \d+\s*?\r?\n/)?.[0];
  if (!heading || !id) throw new Error("the PDF has no cross-reference table");
  const row = await readText(file, tableOffset + heading.length + 20 * Number(id), 20);
  const position = Number(row.slice(0, 10));
  const start = await readText(file, position, windowBytes);
  const isWhole = start.includes("endobj");
  const text = isWhole ? start : await readText(file, position, largeWindowBytes);
  if (!text.startsWith(`${id} 0 obj`)) throw new Error("the PDF's cross-reference table is wrong");
  return text.slice(0, text.indexOf("endobj"));
}

async function readText(file: FileHandle, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.toString("latin1", 0, bytesRead);
}
