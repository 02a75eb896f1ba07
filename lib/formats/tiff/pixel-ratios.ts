import { type ByteSource, withFileSource } from "#lib/media/byte-source.ts";
import { readLayout, splitEntries, type TiffLayout } from "./layout.ts";

const resolutionTags = { across: 0x011a, down: 0x011b };

/** More entries than any page has. */
const maxEntries = 4096;

/**
 * How much higher than wide the pixels of each page of a TIFF file are: 1 for most, 2 for a fax of standard
 * resolution, which has 204 × 98 pixels per inch. At most `pages`. Throws `DamagedDataError` if the file is
 * not a TIFF.
 */
export function readPixelRatios(path: string, pages: number): Promise<number[]> {
  return withFileSource(path, async (source) => {
    const layout = readLayout(source.head);
    const { uint, countBytes, entryBytes, pointerBytes } = layout;
    const ratios: number[] = [];
    let at = layout.first;
    while (at > 0 && ratios.length < pages) {
      const start = await source.read(at, countBytes);
      const count = start.length < countBytes ? 0 : uint(start, 0, countBytes);
      if (count === 0 || count > maxEntries) break;
      const length = count * entryBytes;
      const directory = await source.read(at + countBytes, length + pointerBytes);
      ratios.push(await readRatio(source, layout, directory, count));
      at = directory.length < length + pointerBytes ? 0 : uint(directory, length, pointerBytes);
    }
    return ratios;
  });
}

async function readRatio(
  source: ByteSource,
  layout: TiffLayout,
  directory: Buffer,
  count: number,
): Promise<number> {
  const entries = splitEntries(layout, directory, count);
  const { uint, pointerBytes } = layout;
  const read = async (wanted: number) => {
    const entry = entries.find(({ tag }) => tag === wanted)?.entry.subarray(4 + pointerBytes);
    // A fraction of two numbers of 4 bytes, which fits into an entry of BigTIFF.
    const value =
      entry && (pointerBytes < 8 ? await source.read(uint(entry, 0, pointerBytes), 8) : entry);
    return value && value.length >= 8 ? uint(value, 0, 4) / uint(value, 4, 4) : Number.NaN;
  };
  const ratio = (await read(resolutionTags.across)) / (await read(resolutionTags.down));
  return ratio > 0.1 && ratio < 10 ? ratio : 1;
}
