import { ExifData, entryBytes, orientationTag, shortType } from "../tiff/exif-data.ts";

const exifDirectoryTag = 0x8769;

/** Tags of X and Y: sizes and resolutions of the image, and of the sensor. */
const axisTags = [
  [0x0100, 0x0101],
  [0x011a, 0x011b],
  [0xa002, 0xa003],
  [0xa20e, 0xa20f],
] as const;

interface TransformedExif {
  readonly content: Buffer;
  /** The orientation that it had, from 1 to 8; 1 if it is missing or invalid. */
  readonly orientation: number;
}

/**
 * The content of an EXIF segment with the orientation 1. `swapsAxes`: the values of both axes are
 * exchanged. All other bytes stay where they are.
 */
export function transformExif(content: Buffer, swapsAxes: boolean): TransformedExif {
  const moved = Buffer.from(content);
  const exif = new ExifData(moved);
  const main = exif.entriesOf(exif.first);
  const link = main.get(exifDirectoryTag);
  const directories = [main, exif.entriesOf(link === undefined ? 0 : exif.uint(link + 8, 4))];
  const at = main.get(orientationTag);
  const value = at !== undefined && exif.uint(at + 2, 2) === shortType ? exif.uint(at + 8, 2) : 1;
  const isValid = value >= 1 && value <= 8;
  if (at !== undefined && isValid) exif.tiff[exif.isLittle ? at + 8 : at + 9] = 1;
  for (const entries of swapsAxes ? directories : []) {
    for (const [x, y] of axisTags) swapEntries(exif.tiff, entries.get(x), entries.get(y));
  }
  return { content: moved, orientation: isValid ? value : 1 };
}

/** Exchanges all of two entries but their tags. */
function swapEntries(tiff: Buffer, one: number | undefined, other: number | undefined): void {
  if (one === undefined || other === undefined) return;
  const kept = Buffer.from(tiff.subarray(one + 2, one + entryBytes));
  tiff.copy(tiff, one + 2, other + 2, other + entryBytes);
  kept.copy(tiff, other + 2);
}
