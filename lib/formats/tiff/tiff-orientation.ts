import { openRegular } from "#lib/files/regular-files.ts";

/** TIFF 6.0: tag 274, a SHORT of 1 to 8. */
const orientationTag = 274;

const entryBytes = 12;

/**
 * Whether the first page of a TIFF file has an invalid orientation. libtiff uses 1 instead, but
 * reports the same kind of error as for damaged pixels. BigTIFF is not checked.
 */
export async function hasInvalidOrientation(path: string): Promise<boolean> {
  const file = await openRegular(path);
  try {
    const header = Buffer.alloc(8);
    await file.read(header, 0, 8, 0);
    const isLittleEndian = header.toString("latin1", 0, 2) === "II";
    const readShort = (from: Buffer, offset: number) =>
      isLittleEndian ? from.readUInt16LE(offset) : from.readUInt16BE(offset);
    if (readShort(header, 2) !== 42) return false;
    const start = isLittleEndian ? header.readUInt32LE(4) : header.readUInt32BE(4);
    const count = Buffer.alloc(2);
    await file.read(count, 0, 2, start);
    const entries = Buffer.alloc(readShort(count, 0) * entryBytes);
    const { bytesRead } = await file.read(entries, 0, entries.length, start + 2);
    for (let offset = 0; offset + entryBytes <= bytesRead; offset += entryBytes) {
      if (readShort(entries, offset) !== orientationTag) continue;
      const value = readShort(entries, offset + 8);
      return value < 1 || value > 8;
    }
    return false;
  } finally {
    await file.close();
  }
}
