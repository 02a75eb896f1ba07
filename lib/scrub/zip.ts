import { crc32, deflateRawSync } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { LockedDocumentError } from "./document-errors.ts";
import type { Piece } from "./segments.ts";

/** A ZIP archive written again: entries that stay keep their compressed bytes as they are. */

/** What becomes of an entry, by its name: new content, or null for none. Entries not named stay. */
export type ZipChanges = ReadonlyMap<string, Buffer | null>;

export interface ZipContents {
  readonly names: readonly string[];
  /** The content of an entry, unpacked. */
  read(name: string): Promise<Buffer>;
}

/** More needs the 64-bit form of the archive, which office programs do not read. */
const maxArchiveBytes = 0xffff_ffff;

/** The most of one entry that is held in memory to be changed. */
const maxEntryBytes = 128 * 2 ** 20;

const deflated = 8;
const utf8Flag = 0x0800;
/** The earliest time that the format can say: 1 January 1980, midnight. */
const noDate = 0x0021;

/**
 * The pieces of the archive at `path` after the changes that `decide` wants. Times, comments, owners
 * and other extra fields of entries go. Throws `LockedDocumentError`, `RangeError` past 4 GiB, and what
 * yauzl throws where the archive is broken.
 */
export async function planZip(
  path: string,
  decide: (contents: ZipContents) => Promise<ZipChanges>,
): Promise<Piece[]> {
  const archive = await openPromise(path, { autoClose: false });
  try {
    const entries = new Map<string, Entry>();
    for await (const entry of archive.eachEntry()) {
      if (entry.isEncrypted()) throw new LockedDocumentError();
      entries.set(entry.fileName, entry);
    }
    const changes = await decide({
      names: [...entries.keys()],
      read: async (name) => readEntry(archive, entries.get(name)),
    });
    const pieces: Piece[] = [];
    const directory: Buffer[] = [];
    let offset = 0;
    for (const [name, entry] of entries) {
      const change = changes.get(name);
      if (change === null) continue;
      const { header, data, length } = await packEntry(archive, entry, change);
      pieces.push({ bytes: header(false, 0) }, data);
      directory.push(header(true, offset));
      offset += header(false, 0).length + length;
      if (offset > maxArchiveBytes) throw new RangeError("too large for a plain archive");
    }
    return [...pieces, { bytes: endOfDirectory(directory, offset) }];
  } finally {
    archive.close();
  }
}

async function readEntry(archive: ZipFile, entry: Entry | undefined): Promise<Buffer> {
  if (!entry) throw new Error("no such entry");
  if (entry.uncompressedSize > maxEntryBytes) throw new RangeError("too large a part");
  const chunks: Buffer[] = [];
  for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function packEntry(archive: ZipFile, entry: Entry, change: Buffer | undefined) {
  const name = Buffer.from(entry.fileName, "utf8");
  const packed = change && deflateRawSync(change, { level: 9 });
  const { fileDataStart: start } = await archive.readLocalFileHeaderPromise(entry, {
    minimal: true,
  });
  const length = packed?.length ?? entry.compressedSize;
  const data: Piece = packed ? { bytes: packed } : { start, end: start + length };
  const facts = {
    method: packed ? deflated : entry.compressionMethod,
    crc: change ? crc32(change) : entry.crc32,
    length,
    unpacked: change?.length ?? entry.uncompressedSize,
    // Bits 1 and 2 tell how hard deflate tried; sizes come first, so bit 3 goes.
    flags: (packed ? 0 : entry.generalPurposeBitFlag & 0x0006) | utf8Flag,
  };
  return {
    length,
    data,
    header: (central: boolean, offset: number) => entryHeader(central, offset, name, facts),
  };
}

interface EntryFacts {
  readonly method: number;
  readonly crc: number;
  readonly length: number;
  readonly unpacked: number;
  readonly flags: number;
}

/** A local or a central header (APPNOTE 6.3.10, 4.3.7 and 4.3.12). */
function entryHeader(central: boolean, offset: number, name: Buffer, facts: EntryFacts): Buffer {
  const header = Buffer.alloc((central ? 46 : 30) + name.length);
  header.writeUInt32LE(central ? 0x02014b50 : 0x04034b50, 0);
  if (central) header.writeUInt16LE(20, 4);
  const at = central ? 6 : 4;
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(facts.flags, at + 2);
  header.writeUInt16LE(facts.method, at + 4);
  header.writeUInt16LE(noDate, at + 8);
  header.writeUInt32LE(facts.crc, at + 10);
  header.writeUInt32LE(facts.length, at + 14);
  header.writeUInt32LE(facts.unpacked, at + 18);
  header.writeUInt16LE(name.length, at + 22);
  if (central) header.writeUInt32LE(offset, 42);
  name.copy(header, header.length - name.length);
  return header;
}

function endOfDirectory(directory: readonly Buffer[], offset: number): Buffer {
  const headers = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(headers.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([headers, end]);
}
