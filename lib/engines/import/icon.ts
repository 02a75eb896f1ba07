import { open } from "node:fs/promises";
import type { WorkFile } from "../sandbox/work-folder.ts";

/** The directory of an ICO file: 6 bytes of header, then 16 bytes for each image. */
const headerBytes = 6;
const entryBytes = 16;

/** More images than any icon has. */
const maxEntries = 256;

/** The index of the largest image of an ICO file; of the deepest one among those of equal size. */
export async function findLargestIcon(file: WorkFile): Promise<number> {
  const handle = await open(file.path);
  try {
    const directory = Buffer.alloc(headerBytes + entryBytes * maxEntries);
    const { bytesRead } = await handle.read(directory, 0, directory.length, 0);
    return largestEntry(directory.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** As `findLargestIcon`, of the bytes at the beginning of the file; 0 if they have no entry. */
export function largestEntry(directory: Buffer): number {
  if (directory.length < headerBytes) return 0;
  const listed = Math.min(directory.readUInt16LE(4), maxEntries);
  const complete = Math.floor((directory.length - headerBytes) / entryBytes);
  let best = { index: 0, weight: 0 };
  for (let index = 0; index < Math.min(listed, complete); index++) {
    const at = headerBytes + index * entryBytes;
    // 0 stands for 256 pixels.
    const side = (offset: number) => directory.readUInt8(at + offset) || 256;
    const weight = side(0) * side(1) * 100 + directory.readUInt16LE(at + 6);
    if (weight > best.weight) best = { index, weight };
  }
  return best.index;
}
