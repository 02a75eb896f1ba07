import { pngSignature } from "../png/chunks.ts";
import { damagedBitmap } from "./header.ts";

/** The directory of an ICO file: 6 bytes of header, then 16 bytes for each image. */
export const iconHeaderBytes = 6;
const entryBytes = 16;

/** Where the parts of an entry are in it. */
const lengthAt = 8;
const offsetAt = 12;

interface IconEntry {
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  /** Where the image is in the file. */
  readonly offset: number;
  readonly length: number;
}

/** A number of images that no icon has. */
const maxEntries = 256;

/** The number of images that an ICO file has, from its header. */
export function countIconEntries(header: Buffer): number {
  return header.readUInt16LE(4);
}

/** Where the entry `index` of a directory begins, or where a directory of `index` entries ends. */
export function iconEntryAt(index: number): number {
  return iconHeaderBytes + index * entryBytes;
}

/** The entry `index`. Throws `RangeError` if the directory is shorter. */
export function readIconEntry(directory: Buffer, index: number): IconEntry {
  const at = iconEntryAt(index);
  // 0 stands for 256 pixels.
  const side = (offset: number) => directory.readUInt8(at + offset) || 256;
  return {
    width: side(0),
    height: side(1),
    bitsPerPixel: directory.readUInt16LE(at + 6),
    offset: directory.readUInt32LE(at + offsetAt),
    length: directory.readUInt32LE(at + lengthAt),
  };
}

/** Writes where the image of the entry `index` is. */
export function moveIconEntry(directory: Buffer, index: number, offset: number, length: number) {
  directory.writeUInt32LE(length, iconEntryAt(index) + lengthAt);
  directory.writeUInt32LE(offset, iconEntryAt(index) + offsetAt);
}

/** The index of the largest image of an ICO file; of the deepest one among those of equal size. */
export function largestEntry(directory: Buffer): number {
  if (directory.length < iconHeaderBytes) return 0;
  const listed = Math.min(countIconEntries(directory), maxEntries);
  const complete = Math.floor((directory.length - iconHeaderBytes) / entryBytes);
  let best = { index: 0, weight: 0 };
  for (let index = 0; index < Math.min(listed, complete); index++) {
    const { width, height, bitsPerPixel } = readIconEntry(directory, index);
    const weight = width * height * 100 + bitsPerPixel;
    if (weight > best.weight) best = { index, weight };
  }
  return best.index;
}

/** The bytes of the largest image: a PNG file, or a bitmap. Throws `JobError("corrupt")`. */
export function readLargestIcon(file: Buffer): {
  readonly kind: "png" | "bitmap";
  readonly bytes: Buffer;
} {
  const index = largestEntry(file);
  if (file.length < iconEntryAt(index + 1)) throw damagedBitmap();
  const { offset, length } = readIconEntry(file, index);
  if (offset >= file.length) throw damagedBitmap();
  const bytes = file.subarray(offset, offset + length);
  const isPng = bytes.subarray(0, pngSignature.length).equals(pngSignature);
  return { kind: isPng ? "png" : "bitmap", bytes };
}
