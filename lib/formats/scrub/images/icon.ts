import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { scrubImage } from "../image.ts";
import type { PatchSource } from "../patch.ts";
import type { Segment } from "../segments.ts";

const entryBytes = 16;

/**
 * The segments of an ICO file whose PNG images have no metadata; its bitmaps cannot have any. Bytes
 * that belong to no image are removed. Throws `RangeError` where an image is outside the file.
 */
export async function planIcon(source: PatchSource): Promise<Segment[]> {
  const count = (await source.read(0, 6)).readUInt16LE(4);
  if (count === 0) throw new DamagedDataError("no image");
  const directory = await source.read(0, 6 + count * entryBytes);
  const images: Segment[] = [];
  let position = directory.length;
  for (let at = 6; at < directory.length; at += entryBytes) {
    const image = await source.read(
      directory.readUInt32LE(at + 12),
      directory.readUInt32LE(at + 8),
    );
    const bytes = scrubImage(image) ?? image;
    directory.writeUInt32LE(bytes.length, at + 8);
    directory.writeUInt32LE(position, at + 12);
    images.push({ bytes });
    position += bytes.length;
    // Entries may overlap, and each of them becomes a copy.
    if (position > source.size + directory.length) throw new DamagedDataError("images overlap");
  }
  return [{ bytes: directory }, ...images];
}
