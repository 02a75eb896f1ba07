import { crc32, deflateRawSync } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { collect, translateZipErrors } from "../zip/zip-errors.ts";
import { EncryptedDocumentError } from "./document-errors.ts";
import type { Segment } from "./segments.ts";

/** Rewrites a ZIP archive; entries that do not change keep their compressed bytes. */

/** The new content of entries by name; null removes the entry. All others stay. */
export type ZipChanges = ReadonlyMap<string, Buffer | null>;

export interface ZipContents {
  readonly names: readonly string[];
  /** The content of an entry, unpacked. */
  read(name: string): Promise<Buffer>;
}

/** Larger archives need ZIP64, which office programs do not read. */
const maxArchiveBytes = 0xffff_ffff;

/** The largest entry that is changed: it is held in memory. */
const maxEntryBytes = 128 * 2 ** 20;

const deflated = 8;
const utf8Flag = 0x0800;
/** The earliest date of the format: 1 January 1980. */
const earliestDate = 0x0021;

/**
 * The segments of the archive at `path` after the changes that `decide` returns. Times, comments,
 * owners and other extra fields of all entries are removed. Throws `EncryptedDocumentError`,
 * and `DamagedDataError` past 4 GiB and for a damaged archive.
 */
export async function planZip(
  path: string,
  decide: (contents: ZipContents) => Promise<ZipChanges>,
): Promise<Segment[]> {
  const archive = await translateZipErrors(openPromise(path, { autoClose: false }));
  try {
    const entries = new Map<string, Entry>();
    for (const entry of await collect(archive.eachEntry())) {
      if (entry.isEncrypted()) throw new EncryptedDocumentError();
      entries.set(entry.fileName, entry);
    }
    const changes = await decide({
      names: [...entries.keys()],
      read: async (name) => readEntry(archive, entries.get(name)),
    });
    const segments: Segment[] = [];
    const directory: Buffer[] = [];
    let offset = 0;
    for (const [name, entry] of entries) {
      const change = changes.get(name);
      if (change === null) continue;
      const { header, data, length } = await packEntry(archive, entry, change);
      segments.push({ bytes: header(false, 0) }, data);
      directory.push(header(true, offset));
      offset += header(false, 0).length + length;
      if (offset > maxArchiveBytes)
        throw new DamagedDataError("too large for an archive without ZIP64");
    }
    return [...segments, { bytes: endOfDirectory(directory, offset) }];
  } finally {
    archive.close();
  }
}

async function readEntry(archive: ZipFile, entry: Entry | undefined): Promise<Buffer> {
  if (!entry) throw new DamagedDataError("no such entry");
  if (entry.uncompressedSize > maxEntryBytes) throw new DamagedDataError("entry too large");
  const stream = await translateZipErrors(archive.openReadStreamPromise(entry));
  return Buffer.concat(await collect(stream));
}

async function packEntry(archive: ZipFile, entry: Entry, change: Buffer | undefined) {
  const name = Buffer.from(entry.fileName, "utf8");
  const packed = change && deflateRawSync(change, { level: 9 });
  const { fileDataStart: start } = await translateZipErrors(
    archive.readLocalFileHeaderPromise(entry, { minimal: true }),
  );
  const length = packed?.length ?? entry.compressedSize;
  const data: Segment = packed ? { bytes: packed } : { start, end: start + length };
  const fields = {
    method: packed ? deflated : entry.compressionMethod,
    crc: change ? crc32(change) : entry.crc32,
    length,
    unpacked: change?.length ?? entry.uncompressedSize,
    // Bits 1 and 2 are the level of deflate. Bit 3, sizes after the data, is not used.
    flags: (packed ? 0 : entry.generalPurposeBitFlag & 0x0006) | utf8Flag,
  };
  return {
    length,
    data,
    header: (central: boolean, offset: number) => entryHeader(central, offset, name, fields),
  };
}

interface EntryFields {
  readonly method: number;
  readonly crc: number;
  readonly length: number;
  readonly unpacked: number;
  readonly flags: number;
}

/** A local or a central header (APPNOTE 6.3.10, 4.3.7 and 4.3.12). */
function entryHeader(central: boolean, offset: number, name: Buffer, fields: EntryFields): Buffer {
  const header = Buffer.alloc((central ? 46 : 30) + name.length);
  header.writeUInt32LE(central ? 0x02014b50 : 0x04034b50, 0);
  if (central) header.writeUInt16LE(20, 4);
  const at = central ? 6 : 4;
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(fields.flags, at + 2);
  header.writeUInt16LE(fields.method, at + 4);
  header.writeUInt16LE(earliestDate, at + 8);
  header.writeUInt32LE(fields.crc, at + 10);
  header.writeUInt32LE(fields.length, at + 14);
  header.writeUInt32LE(fields.unpacked, at + 18);
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
