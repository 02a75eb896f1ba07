/** TIFF 6.0 and Exif 2.32: an entry has a tag, a type, a count, and a value or where it is. */
const entryBytes = 12;
const shortType = 3;
const orientationTag = 0x0112;
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
  /** As it was: 1 to 8; 1 if it is missing or invalid. */
  readonly orientation: number;
}

/**
 * The content of an EXIF segment with the orientation 1. `swapsAxes`: the values of both axes are
 * exchanged. All other bytes stay where they are.
 */
export function transformExif(content: Buffer, swapsAxes: boolean): TransformedExif {
  const tiff = Buffer.from(content.subarray("Exif\0\0".length));
  const isLittle = tiff.toString("latin1", 0, 2) === "II";
  const uint = (at: number, length: number) => {
    if (at + length > tiff.length) return 0;
    return isLittle ? tiff.readUIntLE(at, length) : tiff.readUIntBE(at, length);
  };
  const listEntries = (directory: number) => {
    const entries = new Map<number, number>();
    const count = directory === 0 ? 0 : uint(directory, 2);
    for (let index = 0; index < count; index++) {
      const at = directory + 2 + index * entryBytes;
      if (at + entryBytes > tiff.length) break;
      entries.set(uint(at, 2), at);
    }
    return entries;
  };
  const main = listEntries(uint(4, 4));
  const link = main.get(exifDirectoryTag);
  const directories = [main, listEntries(link === undefined ? 0 : uint(link + 8, 4))];
  const at = main.get(orientationTag);
  const value = at !== undefined && uint(at + 2, 2) === shortType ? uint(at + 8, 2) : 1;
  const isValid = value >= 1 && value <= 8;
  if (at !== undefined && isValid) tiff[isLittle ? at + 8 : at + 9] = 1;
  for (const entries of swapsAxes ? directories : []) {
    for (const [x, y] of axisTags) swapEntries(tiff, entries.get(x), entries.get(y));
  }
  const moved = Buffer.concat([content.subarray(0, content.length - tiff.length), tiff]);
  return { content: moved, orientation: isValid ? value : 1 };
}

/** Exchanges all of two entries but their tags. */
function swapEntries(tiff: Buffer, one: number | undefined, other: number | undefined): void {
  if (one === undefined || other === undefined) return;
  const kept = Buffer.from(tiff.subarray(one + 2, one + entryBytes));
  tiff.copy(tiff, one + 2, other + 2, other + entryBytes);
  kept.copy(tiff, other + 2);
}
