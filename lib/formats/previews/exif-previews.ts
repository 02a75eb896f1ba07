import { ExifData, shortType } from "../tiff/exif-data.ts";
import { eraseJpegImages } from "./embedded-jpeg.ts";

/** The tags of where the bytes of a picture are, and of how many they are. */
const pictureTags = [
  [0x0111, 0x0117],
  [0x0144, 0x0145],
  [0x0201, 0x0202],
] as const;

/** A number of directories that is larger than the number of pictures in a file. */
const maxDirectories = 16;

/**
 * EXIF data without its previews, which show the picture as it was: without the directories after the
 * first and their pixels, and without the JPEG images that makers' notes hold. All other bytes stay where
 * they are. Undefined if there is no preview.
 */
export function eraseExifPreviews(exif: Buffer): Buffer | undefined {
  const cleaned = Buffer.from(exif);
  const data = new ExifData(cleaned);
  const { tiff, first } = data;
  const visited = new Set([first]);
  const follow = (link: number) => {
    const next = data.uint(link, 4);
    tiff.subarray(link, link + 4).fill(0);
    return next;
  };
  let directory = first === 0 ? 0 : follow(data.linkAfter(first));
  while (directory !== 0 && !visited.has(directory) && visited.size < maxDirectories) {
    visited.add(directory);
    const link = data.linkAfter(directory);
    erasePicture(data, directory);
    const next = follow(link);
    tiff.subarray(directory, link).fill(0);
    directory = next;
  }
  eraseJpegImages(tiff);
  return cleaned.equals(exif) ? undefined : cleaned;
}

/** Sets the bytes of the picture that the entries of `directory` describe to zeros. */
function erasePicture(data: ExifData, directory: number): void {
  const { tiff } = data;
  const entries = data.entriesOf(directory);
  for (const [offsets, lengths] of pictureTags) {
    const sizes = readValues(data, entries.get(lengths));
    // The parts of a picture do not overlap. Without a limit, a file could have the same bytes set a million times.
    let left = tiff.length;
    for (const [index, offset] of readValues(data, entries.get(offsets)).entries()) {
      const part = tiff.subarray(offset, offset + (sizes[index] ?? 0));
      left -= part.length;
      if (left < 0) break;
      part.fill(0);
    }
  }
}

/** The numbers of the entry at `at`. */
function readValues(data: ExifData, at: number | undefined): number[] {
  if (at === undefined) return [];
  const size = data.uint(at + 2, 2) === shortType ? 2 : 4;
  const count = Math.min(data.uint(at + 4, 4), Math.floor(data.tiff.length / size));
  const start = count * size <= 4 ? at + 8 : data.uint(at + 8, 4);
  return Array.from({ length: count }, (_, index) => data.uint(start + index * size, size));
}
