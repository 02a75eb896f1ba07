import { Readable } from "node:stream";
import { streamRegular } from "#lib/files/regular-files.ts";
import type { ArchiveEntry } from "./entries.ts";

/** TAR in the pax format (POSIX.1-2017, pax, pax Interchange Format): names in UTF-8, files of any size. */

const blockBytes = 512;

/** The most that the octal size of a header can say. */
const maxHeaderSize = 8 ** 11 - 1;

/** The bytes of an archive of `entries`. `onBytes` gets the size of each piece of a file. */
export function readTar(
  entries: readonly ArchiveEntry[],
  modified: Date,
  onBytes: (bytes: number) => void,
): Readable {
  return Readable.from(writeBlocks(entries, modified, onBytes), { objectMode: false });
}

async function* writeBlocks(
  entries: readonly ArchiveEntry[],
  modified: Date,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for (const { name, bytes, file } of entries) {
    const records = extendedRecords(name, bytes);
    if (records.length > 0) {
      yield writeHeader({ name: "pax", bytes: records.length, modified, type: "x" });
      yield padded(records);
    }
    yield writeHeader({ name, bytes: Math.min(bytes, maxHeaderSize), modified, type: "0" });
    let written = 0;
    for await (const chunk of streamRegular(file.path, { highWaterMark: 2 ** 18 })) {
      written += chunk.length;
      onBytes(chunk.length);
      yield chunk;
    }
    if (written !== bytes) throw new Error("a file changed while it was archived");
    yield Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes);
  }
  yield Buffer.alloc(2 * blockBytes);
}

/** Records for what a header cannot hold. */
function extendedRecords(name: string, bytes: number): Buffer {
  const isPlain = /^[\x20-\x7e]{1,100}$/.test(name);
  return Buffer.concat([
    ...(isPlain ? [] : [record("path", name)]),
    ...(bytes > maxHeaderSize ? [record("size", `${bytes}`)] : []),
  ]);
}

/** Writes `<length> <key>=<value>\n`, of which the length counts itself. */
function record(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`;
  const size = Buffer.byteLength(rest);
  let length = size + `${size}`.length;
  length = size + `${length}`.length;
  return Buffer.from(`${length}${rest}`);
}

interface Header {
  readonly name: string;
  readonly bytes: number;
  readonly modified: Date;
  readonly type: "0" | "x";
}

function writeHeader({ name, bytes, modified, type }: Header): Buffer {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1");
  // Programs that do not know pax read a name without special characters.
  header.write(name.replaceAll(/[^\x20-\x7e]/g, "_").slice(0, 100), 0, "latin1");
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes, 124, 12);
  octal(Math.floor(modified.getTime() / 1000), 136, 12);
  header.write(type, 156, "latin1");
  header.write("ustar\x0000", 257, "latin1");
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

function padded(data: Buffer): Buffer {
  return Buffer.concat([
    data,
    Buffer.alloc((blockBytes - (data.length % blockBytes)) % blockBytes),
  ]);
}
