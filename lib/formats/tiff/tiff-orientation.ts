import { withFileSource } from "#lib/media/byte-source.ts";
import { orientationTag } from "./exif-data.ts";
import { readFirstDirectory } from "./first-directory.ts";

/**
 * Whether the first page of a TIFF file has an invalid orientation. libtiff uses 1 instead, but
 * reports the same kind of error as for damaged pixels. BigTIFF is not checked. Throws `DamagedDataError` if
 * the file is not a TIFF.
 */
export function hasInvalidOrientation(path: string): Promise<boolean> {
  return withFileSource(path, async (source) => {
    const directory = await readFirstDirectory(source);
    if (!directory || directory.layout.pointerBytes > 4) return false;
    const found = directory.entries.get(orientationTag);
    if (!found) return false;
    const orientation = directory.layout.uint(found.value, 0, 2);
    return orientation < 1 || orientation > 8;
  });
}
