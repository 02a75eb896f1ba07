import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { readBoxes } from "../../iso-boxes/iso-boxes.ts";
import type { PatchSource } from "../patch.ts";
import type { Segment } from "../segments.ts";

/** Boxes of a JPEG XL file (ISO/IEC 18181-2) that hold the image. */
const keptBoxes = new Set(["JXL ", "ftyp", "jxll", "jxli", "jxlc", "jxlp"]);

/**
 * The segments of a JPEG XL file without EXIF, XMP, JUMBF, and the markers of a JPEG that it was made
 * from (`jbrd`). Orientation and color are part of the codestream and stay. Throws `RangeError` where
 * its structure is broken.
 */
export async function planJxl(source: PatchSource): Promise<Segment[]> {
  const head = await source.read(0, 2);
  // A codestream without a container has no metadata.
  if (head.equals(Buffer.from("ff0a", "hex"))) return [{ start: 0, end: source.size }];
  const boxes = await readBoxes(source, 0, source.size);
  const kept = boxes.filter(({ type }) => keptBoxes.has(type));
  if (!kept.some(({ type }) => type === "jxlc" || type === "jxlp")) {
    throw new DamagedDataError("no codestream");
  }
  return kept.map(({ offset, end }) => ({ start: offset, end }));
}
