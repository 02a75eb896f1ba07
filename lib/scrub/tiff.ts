import type { Patch, PatchSource } from "./patch.ts";

/**
 * Removes metadata from TIFF 6.0 and BigTIFF, in place: only the tags that the pixels need stay in
 * their directory. The values of all others become zeros, so that no strip or tile moves.
 */

/** Tags that define how the pixels are stored and displayed, with orientation and ICC profile. */
const keptTags = new Set([
  ...[254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 280, 281],
  ...[282, 283, 284, 286, 287, 288, 289, 290, 291, 292, 293, 296, 297, 301, 317, 318, 319, 320],
  ...[321, 322, 323, 324, 325, 330, 332, 333, 334, 336, 338, 339, 340, 341, 342, 343, 344, 345],
  ...[347, 351, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532],
  ...[32_995, 32_996, 32_997, 32_998, 34_675, 37_439, 50_674],
]);

/** Directories of metadata: EXIF, GPS, interoperability. */
const metadataDirectories = new Set([34_665, 34_853, 40_965]);
const subDirectories = 330;
const dngVersion = 50_706;

/** Bytes of one value of each field type. */
const typeBytes: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4 },
  ...{ 16: 8, 17: 8, 18: 8 },
};

const maxDirectories = 10_000;

/** A raw image (DNG), which cannot be decoded without its private tags. */
export class RawImageError extends Error {
  override readonly name = "RawImageError";
}

/** The changes to a TIFF. Throws `RangeError` where its structure is broken, `RawImageError` for a DNG. */
export async function planTiff(source: PatchSource): Promise<Patch[]> {
  const layout = readLayout(await source.read(0, Math.min(16, source.size)));
  const patches: Patch[] = [];
  const seen = new Set<number>();
  const queue = [{ offset: layout.first, isMetadata: false }];
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (next.offset === 0 || seen.has(next.offset)) continue;
    seen.add(next.offset);
    if (seen.size > maxDirectories) throw new RangeError("too many directories");
    await planDirectory(next.offset, next.isMetadata);
  }
  return patches;

  async function planDirectory(offset: number, isMetadata: boolean): Promise<void> {
    const { countBytes, entryBytes, pointerBytes } = layout;
    const count = layout.uint(await source.read(offset, countBytes), 0, countBytes);
    if (count > 65_535) throw new RangeError("too many entries");
    const body = await source.read(offset + countBytes, count * entryBytes + pointerBytes);
    const kept: Buffer[] = [];
    for (let index = 0; index < count; index++) {
      const entry = body.subarray(index * entryBytes, (index + 1) * entryBytes);
      const tag = layout.uint(entry, 0, 2);
      if (tag === dngVersion) throw new RawImageError();
      const keep = !isMetadata && keptTags.has(tag);
      if (keep) kept.push(entry);
      await planEntry(entry, tag, keep);
    }
    const next = body.subarray(count * entryBytes);
    queue.push({ offset: layout.uint(next, 0, pointerBytes), isMetadata });
    const bytes = Buffer.alloc(countBytes + body.length);
    if (!isMetadata) {
      layout.writeUint(bytes, kept.length, countBytes);
      Buffer.concat([...kept, next]).copy(bytes, countBytes);
    }
    patches.push({ offset, bytes });
  }

  async function planEntry(entry: Buffer, tag: number, keep: boolean): Promise<void> {
    const { pointerBytes } = layout;
    const type = layout.uint(entry, 2, 2);
    const count = layout.uint(entry, 4, pointerBytes);
    const length = count * (typeBytes[type] ?? 1);
    const inline = length <= pointerBytes;
    const pointer = layout.uint(entry, entry.length - pointerBytes, pointerBytes);
    if (!inline && pointer + length > source.size) {
      if (keep) throw new RangeError("value past the end");
      return;
    }
    if (metadataDirectories.has(tag)) queue.push({ offset: pointer, isMetadata: true });
    else if (!keep && !inline) patches.push({ offset: pointer, zeros: length });
    if (tag !== subDirectories || !keep) return;
    const size = typeBytes[type] ?? pointerBytes;
    const at = inline ? entry.subarray(4 + pointerBytes) : await source.read(pointer, length);
    for (let index = 0; index < Math.min(count, maxDirectories); index++) {
      queue.push({ offset: layout.uint(at, index * size, size), isMetadata: false });
    }
  }
}

/** Byte order and widths: 12-byte entries and 4-byte offsets, in BigTIFF 20 and 8. */
function readLayout(header: Buffer) {
  const mark = header.toString("latin1", 0, 2);
  const little = mark === "II";
  if (!little && mark !== "MM") throw new RangeError("not a TIFF");
  const uint = (buffer: Buffer, at: number, length: number): number => {
    if (length === 8) {
      const value = little ? buffer.readBigUInt64LE(at) : buffer.readBigUInt64BE(at);
      return Number(value);
    }
    return little ? buffer.readUIntLE(at, length) : buffer.readUIntBE(at, length);
  };
  const writeUint = (buffer: Buffer, value: number, length: number): void => {
    const width = Math.min(length, 6);
    if (little) buffer.writeUIntLE(value, 0, width);
    else buffer.writeUIntBE(value, length - width, width);
  };
  const version = uint(header, 2, 2);
  if (version !== 42 && version !== 43) throw new RangeError("not a TIFF");
  return version === 42
    ? { uint, writeUint, countBytes: 2, entryBytes: 12, pointerBytes: 4, first: uint(header, 4, 4) }
    : {
        uint,
        writeUint,
        countBytes: 8,
        entryBytes: 20,
        pointerBytes: 8,
        first: uint(header, 8, 8),
      };
}
