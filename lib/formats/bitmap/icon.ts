import { damagedBitmap } from "./header.ts";

/** The directory of an ICO file: 6 bytes of header, then 16 bytes for each image. */
const headerBytes = 6;
const entryBytes = 16;

/** More images than any icon has. */
const maxEntries = 256;

const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");

/** The index of the largest image of an ICO file; of the deepest one among those of equal size. */
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

/** The bytes of the largest image: a PNG file, or a bitmap. Throws `JobError("corrupt")`. */
export function readLargestIcon(file: Buffer): {
  readonly kind: "png" | "bitmap";
  readonly bytes: Buffer;
} {
  const at = headerBytes + largestEntry(file) * entryBytes;
  if (file.length < at + entryBytes) throw damagedBitmap();
  const [length, offset] = [file.readUInt32LE(at + 8), file.readUInt32LE(at + 12)];
  if (offset >= file.length) throw damagedBitmap();
  const bytes = file.subarray(offset, offset + length);
  const isPng = bytes.subarray(0, pngSignature.length).equals(pngSignature);
  return { kind: isPng ? "png" : "bitmap", bytes };
}
