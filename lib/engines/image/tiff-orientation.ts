import { open } from "node:fs/promises";

/** TIFF 6.0: tag 274, a SHORT of 1 to 8. */
const orientationTag = 274;

const entryBytes = 12;

/**
 * Whether the first page of a TIFF file says an orientation that there is not. libtiff takes it for 1,
 * but reports it as an error, as it does damaged pixels. BigTIFF is not looked into.
 */
export async function hasBadOrientation(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const header = Buffer.alloc(8);
    await file.read(header, 0, 8, 0);
    const little = header.toString("latin1", 0, 2) === "II";
    const short = (from: Buffer, at: number) =>
      little ? from.readUInt16LE(at) : from.readUInt16BE(at);
    if (short(header, 2) !== 42) return false;
    const start = little ? header.readUInt32LE(4) : header.readUInt32BE(4);
    const count = Buffer.alloc(2);
    await file.read(count, 0, 2, start);
    const entries = Buffer.alloc(short(count, 0) * entryBytes);
    const { bytesRead } = await file.read(entries, 0, entries.length, start + 2);
    for (let at = 0; at + entryBytes <= bytesRead; at += entryBytes) {
      if (short(entries, at) !== orientationTag) continue;
      const value = short(entries, at + 8);
      return value < 1 || value > 8;
    }
    return false;
  } finally {
    await file.close();
  }
}
