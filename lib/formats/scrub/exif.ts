import { ExifData, orientationTag } from "../tiff/exif-data.ts";

/** The EXIF orientation, the only tag that is needed to display an image. */

/** The orientation (2 to 8) in EXIF data. Undefined where it is absent, upright (1) or invalid. */
export function readOrientation(exif: Buffer): number | undefined {
  const data = new ExifData(exif);
  const at = data.entriesOf(data.first).get(orientationTag);
  const orientation = at === undefined ? 1 : data.uint(at + 8, 2);
  return orientation > 1 && orientation <= 8 ? orientation : undefined;
}

/** A TIFF structure with only `orientation`: one directory with one SHORT. */
export function orientationExif(orientation: number): Buffer {
  const tiff = Buffer.from("49492a0008000000010012010300010000000000000000000000", "hex");
  tiff.writeUInt16LE(orientation, 18);
  return tiff;
}
