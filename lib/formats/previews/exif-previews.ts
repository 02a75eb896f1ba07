import { eraseJpegImages } from "./embedded-jpeg.ts";

/** TIFF 6.0 and Exif 2.32: an entry has a tag, a type, a count, and a value or where it is. */
const entryBytes = 12;
const shortType = 3;

/** The tags of where the bytes of a picture are, and of how many they are. */
const pictureTags = [
  [0x0111, 0x0117],
  [0x0144, 0x0145],
  [0x0201, 0x0202],
] as const;

/** More directories than a file has pictures. */
const maxDirectories = 16;

/**
 * EXIF data without its previews, which show the picture as it was: without the directories after the
 * first and their pixels, and without the JPEG images that makers' notes hold. All other bytes stay where
 * they are. Undefined if there is no preview.
 */
export function eraseExifPreviews(exif: Buffer): Buffer | undefined {
  const cleaned = Buffer.from(exif);
  const hasPrefix = cleaned.toString("latin1", 0, 6) === "Exif\0\0";
  const tiff = cleaned.subarray(hasPrefix ? 6 : 0);
  const isLittle = tiff.toString("latin1", 0, 2) === "II";
  const uint = (at: number, length: number) => {
    if (at + length > tiff.length) return 0;
    return isLittle ? tiff.readUIntLE(at, length) : tiff.readUIntBE(at, length);
  };
  const linkOf = (directory: number) => directory + 2 + entryBytes * uint(directory, 2);
  const first = uint(4, 4);
  const visited = new Set([first]);
  const follow = (link: number) => {
    const next = uint(link, 4);
    tiff.subarray(link, link + 4).fill(0);
    return next;
  };
  let directory = first === 0 ? 0 : follow(linkOf(first));
  while (directory !== 0 && !visited.has(directory) && visited.size < maxDirectories) {
    visited.add(directory);
    const link = linkOf(directory);
    erasePicture(tiff, directory, uint);
    const next = follow(link);
    tiff.subarray(directory, link).fill(0);
    directory = next;
  }
  eraseJpegImages(tiff);
  return cleaned.equals(exif) ? undefined : cleaned;
}

type ReadUint = (at: number, length: number) => number;

/** Sets the bytes of the picture that the entries of `directory` describe to zeros. */
function erasePicture(tiff: Buffer, directory: number, uint: ReadUint): void {
  const entries = new Map<number, number>();
  for (let index = 0; index < uint(directory, 2); index++) {
    const at = directory + 2 + index * entryBytes;
    if (at + entryBytes > tiff.length) break;
    entries.set(uint(at, 2), at);
  }
  for (const [offsets, lengths] of pictureTags) {
    const sizes = readValues(tiff, entries.get(lengths), uint);
    // The parts of a picture do not overlap. Without a limit, a file could have the same bytes set a million times.
    let left = tiff.length;
    for (const [index, offset] of readValues(tiff, entries.get(offsets), uint).entries()) {
      const part = tiff.subarray(offset, offset + (sizes[index] ?? 0));
      left -= part.length;
      if (left < 0) break;
      part.fill(0);
    }
  }
}

/** The numbers of the entry at `at`. */
function readValues(tiff: Buffer, at: number | undefined, uint: ReadUint): number[] {
  if (at === undefined) return [];
  const size = uint(at + 2, 2) === shortType ? 2 : 4;
  const count = Math.min(uint(at + 4, 4), Math.floor(tiff.length / size));
  const start = count * size <= 4 ? at + 8 : uint(at + 8, 4);
  return Array.from({ length: count }, (_, index) => uint(start + index * size, size));
}
