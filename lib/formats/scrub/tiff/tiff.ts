import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { readLayout, splitEntries, type TiffLayout } from "../../tiff/layout.ts";
import type { Patch, PatchSource } from "../patch.ts";
import { dngTags, dngVersion, extraCameraProfiles } from "./dng-tags.ts";
import { planEmbeddedJpeg } from "./embedded-jpeg.ts";

/**
 * Removes metadata from TIFF 6.0, BigTIFF and DNG, in place: only the tags that the pixels need stay in
 * their directory. The values of all others become zeros, so that no strip or tile moves.
 */

/** Tags that define how the pixels are stored and displayed, with orientation and ICC profile. */
const keptTags = new Set([
  254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 280, 281, 282,
  283, 284, 286, 287, 288, 289, 290, 291, 292, 293, 296, 297, 301, 317, 318, 319, 320, 321, 322,
  323, 324, 325, 330, 332, 333, 334, 336, 338, 339, 340, 341, 342, 343, 344, 345, 347, 351, 512,
  513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532, 32_995, 32_996, 32_997, 32_998,
  34_675, 37_439, 50_674,
]);

/** Directories of metadata: EXIF, GPS, interoperability. */
const metadataDirectories = new Set([34_665, 34_853, 40_965]);
const subDirectories = 330;

const compressionTag = 259;
/** JPEG in TIFF 6.0, in Adobe's supplement, and with loss in DNG. */
const jpegCompressions = new Set([6, 7, 34_892]);

/** Where the data of pictures are: in strips, in tiles, and thumbnails that are always JPEG. */
const pictureTags = [
  { offsets: 273, lengths: 279, anyCompression: false },
  { offsets: 324, lengths: 325, anyCompression: false },
  { offsets: 513, lengths: 514, anyCompression: true },
];

/** Bytes of one value of each field type. */
const typeBytes: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
};

const maxDirectories = 10_000;
/** Strips and tiles of a picture, or directories in one entry. */
const maxValues = 100_000;

/** A directory of tags. Offsets of its values are relative to `base`. */
interface Directory {
  readonly offset: number;
  readonly base: number;
  readonly layout: TiffLayout;
  /** Whether all of it is removed. */
  readonly isMetadata: boolean;
}

/** An entry of a directory with its tag. */
interface Entry {
  readonly tag: number;
  readonly entry: Buffer;
}

/**
 * The changes to a TIFF or DNG. JPEG pictures in it, such as the previews of a DNG, lose their metadata
 * too. Throws `RangeError` where its structure is broken.
 */
export async function planTiff(source: PatchSource): Promise<Patch[]> {
  const layout = readLayout(await source.read(0, Math.min(16, source.size)));
  const patches: Patch[] = [];
  const seen = new Set<number>();
  const queue: Directory[] = [{ offset: layout.first, base: 0, layout, isMetadata: false }];
  let isDng = false;
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (next.offset === 0 || seen.has(next.base + next.offset)) continue;
    seen.add(next.base + next.offset);
    if (seen.size > maxDirectories) throw new DamagedDataError("too many directories");
    await planDirectory(next);
  }
  return patches;

  async function planDirectory(directory: Directory): Promise<void> {
    const { isMetadata } = directory;
    const { countBytes, entryBytes, pointerBytes, uint, writeUint } = directory.layout;
    const at = directory.base + directory.offset;
    const count = uint(await source.read(at, countBytes), 0, countBytes);
    if (count > 65_535) throw new DamagedDataError("too many entries");
    const body = await source.read(at + countBytes, count * entryBytes + pointerBytes);
    const entries = splitEntries(directory.layout, body, count);
    // The first directory of a DNG has its version.
    isDng ||= !isMetadata && entries.some(({ tag }) => tag === dngVersion);
    const kept: Entry[] = [];
    for (const one of entries) {
      const keep = !isMetadata && (keptTags.has(one.tag) || (isDng && dngTags.has(one.tag)));
      if (keep) kept.push(one);
      await planEntry(directory, one, keep);
    }
    await planPictures(directory, kept);
    const next = body.subarray(count * entryBytes);
    queue.push({ ...directory, offset: uint(next, 0, pointerBytes) });
    const bytes = Buffer.alloc(countBytes + body.length);
    if (!isMetadata) {
      writeUint(bytes, kept.length, countBytes);
      Buffer.concat([...kept.map(({ entry }) => entry), next]).copy(bytes, countBytes);
    }
    patches.push({ offset: at, bytes });
  }

  async function planEntry(
    directory: Directory,
    { tag, entry }: Entry,
    keep: boolean,
  ): Promise<void> {
    const { offset, length, isInline, pointer } = locate(directory, entry);
    if (offset + length > source.size) {
      if (keep) throw new DamagedDataError("value past the end");
      return;
    }
    if (metadataDirectories.has(tag)) {
      queue.push({ ...directory, offset: pointer, isMetadata: true });
    } else if (tag === extraCameraProfiles && isDng) await queueProfiles(directory, entry);
    if (!keep && !isInline) patches.push({ offset, zeros: length });
    if (tag !== subDirectories || !keep) return;
    for (const at of await readNumbers(directory, entry)) {
      queue.push({ ...directory, offset: at, isMetadata: false });
    }
  }

  async function queueProfiles(directory: Directory, entry: Buffer): Promise<void> {
    for (const at of await readNumbers(directory, entry)) {
      const profile = readLayout(await source.read(directory.base + at, 8));
      const base = directory.base + at;
      queue.push({ offset: profile.first, base, layout: profile, isMetadata: true });
    }
  }

  async function planPictures(directory: Directory, kept: readonly Entry[]): Promise<void> {
    const values = async (tag: number) => {
      const found = kept.find((one) => one.tag === tag);
      return found ? readNumbers(directory, found.entry) : [];
    };
    const [compression] = await values(compressionTag);
    for (const { offsets, lengths, anyCompression } of pictureTags) {
      if (!anyCompression && !jpegCompressions.has(compression ?? 0)) continue;
      const sizes = await values(lengths);
      for (const [index, offset] of (await values(offsets)).entries()) {
        patches.push(...(await planEmbeddedJpeg(source, offset, sizes[index] ?? 0)));
      }
    }
  }

  /** The numbers of an entry, at most `maxValues`. */
  async function readNumbers(directory: Directory, entry: Buffer): Promise<number[]> {
    const { layout } = directory;
    const { offset, length, isInline } = locate(directory, entry);
    const size = typeBytes[layout.uint(entry, 2, 2)] ?? layout.pointerBytes;
    const count = Math.min(Math.floor(length / size), maxValues);
    const bytes = isInline
      ? entry.subarray(4 + layout.pointerBytes)
      : await source.read(offset, count * size);
    return Array.from({ length: count }, (_, index) => layout.uint(bytes, index * size, size));
  }
}

/** Where the values of an entry are; `offset` is 0 if they are in the entry itself. */
function locate({ base, layout }: Directory, entry: Buffer) {
  const { pointerBytes, uint } = layout;
  const length = uint(entry, 4, pointerBytes) * (typeBytes[uint(entry, 2, 2)] ?? 1);
  const isInline = length <= pointerBytes;
  const pointer = uint(entry, entry.length - pointerBytes, pointerBytes);
  return { offset: isInline ? 0 : base + pointer, length, isInline, pointer };
}
