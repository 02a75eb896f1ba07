import type { ByteSource } from "#lib/media/byte-source.ts";
import { readLayout, splitEntries, type TiffLayout } from "./layout.ts";

/** The bytes of the header of BigTIFF. No file with a directory is shorter. */
const longestHeader = 16;

/** More entries than any page has. */
const maxEntries = 4096;

/** An entry: `value` is its value, or where that is if it needs more bytes than `layout.pointerBytes`. */
export interface DirectoryEntry {
  readonly count: number;
  readonly value: Buffer;
}

/** The directory of the first page of a TIFF. */
export interface FirstDirectory {
  readonly layout: TiffLayout;
  /** The entries by their tags. The first of a tag counts. */
  readonly entries: ReadonlyMap<number, DirectoryEntry>;
}

/**
 * Reads the directory of the first page of a TIFF file; undefined if there is none. Throws
 * `DamagedDataError` if the file is not a TIFF.
 */
export async function readFirstDirectory(source: ByteSource): Promise<FirstDirectory | undefined> {
  if (source.head.length < longestHeader) return undefined;
  const layout = readLayout(source.head);
  const { uint, countBytes, entryBytes, pointerBytes, first } = layout;
  const start = await source.read(first, countBytes);
  const count = start.length < countBytes ? 0 : uint(start, 0, countBytes);
  if (count === 0 || count > maxEntries) return undefined;
  const bytes = await source.read(first + countBytes, count * entryBytes);
  const entries = new Map<number, DirectoryEntry>();
  for (const { tag, entry } of splitEntries(layout, bytes, count)) {
    if (entries.has(tag)) continue;
    const value = entry.subarray(entryBytes - pointerBytes);
    entries.set(tag, { count: uint(entry, 4, pointerBytes), value });
  }
  return { layout, entries };
}
