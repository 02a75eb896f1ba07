/** TIFF 6.0 and Exif 2.32: an entry has a tag, a type, a count, and a value or where it is. */
export const entryBytes = 12;
export const shortType = 3;
export const orientationTag = 0x0112;

/**
 * EXIF data in memory, with or without the prefix that it has in JPEG: a TIFF structure that may be cut off
 * or damaged, as some programs write it. What is not in it is read as 0. Files are read by `layout.ts`, for
 * which such data is damage.
 */
export class ExifData {
  /** The structure without the prefix: a view, to which all positions refer. */
  readonly tiff: Buffer;
  readonly isLittle: boolean;

  constructor(exif: Buffer) {
    const hasPrefix = exif.toString("latin1", 0, 4) === "Exif";
    this.tiff = exif.subarray(hasPrefix ? "Exif\0\0".length : 0);
    this.isLittle = this.tiff.toString("latin1", 0, 2) === "II";
  }

  /** Where the first directory is; 0 if there is none. */
  get first(): number {
    return this.uint(4, 4);
  }

  /** The number of `length` bytes at `at`. */
  uint(at: number, length: number): number {
    if (at + length > this.tiff.length) return 0;
    return this.isLittle ? this.tiff.readUIntLE(at, length) : this.tiff.readUIntBE(at, length);
  }

  /** Where the entries of the directory at `directory` are, by their tags. The first of a tag counts. */
  entriesOf(directory: number): ReadonlyMap<number, number> {
    const entries = new Map<number, number>();
    const count = directory === 0 ? 0 : this.uint(directory, 2);
    for (let index = 0; index < count; index++) {
      const at = directory + 2 + index * entryBytes;
      if (at + entryBytes > this.tiff.length) break;
      const tag = this.uint(at, 2);
      if (!entries.has(tag)) entries.set(tag, at);
    }
    return entries;
  }

  /** Where the position of the directory after the one at `directory` is. */
  linkAfter(directory: number): number {
    return directory + 2 + entryBytes * this.uint(directory, 2);
  }
}
