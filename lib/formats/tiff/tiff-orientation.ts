import { withFileSource } from "#lib/media/byte-source.ts";
import { orientationTag } from "./exif-data.ts";
import { readLayout, splitEntries } from "./layout.ts";

/** The bytes of the header of BigTIFF. No file with a directory is shorter. */
const longestHeader = 16;

/**
 * Whether the first page of a TIFF file has an invalid orientation. libtiff uses 1 instead, but
 * reports the same kind of error as for damaged pixels. BigTIFF is not checked. Throws `RangeError` if the
 * file is not a TIFF.
 */
export function hasInvalidOrientation(path: string): Promise<boolean> {
  return withFileSource(path, async (source) => {
    if (source.head.length < longestHeader) return false;
    const layout = readLayout(source.head);
    const { uint, countBytes, entryBytes, pointerBytes, first } = layout;
    if (pointerBytes > 4) return false;
    const start = await source.read(first, countBytes);
    if (start.length < countBytes) return false;
    const count = uint(start, 0, countBytes);
    const entries = await source.read(first + countBytes, count * entryBytes);
    const found = splitEntries(layout, entries, count).find(({ tag }) => tag === orientationTag);
    if (!found) return false;
    const orientation = uint(found.entry, 8, 2);
    return orientation < 1 || orientation > 8;
  });
}
