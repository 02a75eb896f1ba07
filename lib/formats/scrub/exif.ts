/** The EXIF orientation, the only tag that is needed to display an image. */

const orientationTag = 0x0112;

/**
 * The orientation (2 to 8) in an EXIF block, which is a TIFF structure with or without a leading
 * `Exif\0\0`. Undefined where it is absent, upright (1) or invalid.
 */
export function readOrientation(exif: Buffer): number | undefined {
  const start = exif.toString("latin1", 0, 4) === "Exif" ? 6 : 0;
  const little = exif.toString("latin1", start, start + 2) === "II";
  const uint = (at: number, length: number) => {
    if (start + at + length > exif.length) return 0;
    return little ? exif.readUIntLE(start + at, length) : exif.readUIntBE(start + at, length);
  };
  const directory = uint(4, 4);
  for (let index = 0; index < uint(directory, 2); index++) {
    const entry = directory + 2 + 12 * index;
    if (uint(entry, 2) !== orientationTag) continue;
    const orientation = uint(entry + 8, 2);
    return orientation > 1 && orientation <= 8 ? orientation : undefined;
  }
  return undefined;
}

/** A TIFF structure with only `orientation`: one directory with one SHORT. */
export function orientationExif(orientation: number): Buffer {
  const tiff = Buffer.from("49492a0008000000010012010300010000000000000000000000", "hex");
  tiff.writeUInt16LE(orientation, 18);
  return tiff;
}
