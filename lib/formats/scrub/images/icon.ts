import { DamagedDataError } from "#lib/media/damaged-data.ts";
import {
  countIconEntries,
  iconEntryAt,
  iconHeaderBytes,
  moveIconEntry,
  readIconEntry,
} from "../../bitmap/icon.ts";
import { scrubImage } from "../image.ts";
import type { PatchSource } from "../patch.ts";
import type { Segment } from "../segments.ts";

/**
 * The segments of an ICO file whose PNG images have no metadata; its bitmaps cannot have any. Bytes
 * that belong to no image are removed. Throws `RangeError` where an image is outside the file.
 */
export async function planIcon(source: PatchSource): Promise<Segment[]> {
  const count = countIconEntries(await source.read(0, iconHeaderBytes));
  if (count === 0) throw new DamagedDataError("no image");
  const directory = await source.read(0, iconEntryAt(count));
  const images: Segment[] = [];
  let position = directory.length;
  for (let index = 0; index < count; index++) {
    const { offset, length } = readIconEntry(directory, index);
    const image = await source.read(offset, length);
    const bytes = scrubImage(image) ?? image;
    moveIconEntry(directory, index, position, bytes.length);
    images.push({ bytes });
    position += bytes.length;
    // Entries may overlap, and each of them becomes a copy.
    if (position > source.size + directory.length) throw new DamagedDataError("images overlap");
  }
  return [{ bytes: directory }, ...images];
}
