import { DamagedDataError } from "#lib/media/damaged-data.ts";
import type { Patch, PatchSource } from "./patch.ts";

/**
 * Clears personal metadata in MXF files (SMPTE ST 377-1), in place: names, dates, programs, comments,
 * URLs, the start time code, and descriptive metadata become zeros, which the standard defines as
 * empty. Tracks, and the packets of each, stay.
 */

const keyStart = Buffer.from("060e2b34", "hex");
const keyBytes = 16;
/** Bytes 4 to 13 of keys, by what they start. */
const partitionKey = Buffer.from("020501010d01020101", "hex");
const localSet = Buffer.from("0253", "hex");
const structuralSet = Buffer.from("0d0101010101", "hex");

/** Tags that are cleared in structural sets, by the 15th byte of the key of the set. */
const clearedTags: Readonly<Record<number, readonly number[]>> = {
  // Preface: last modified.
  47: [0x3b02],
  // Identification: company, product, versions, date, platform.
  48: [0x3c01, 0x3c02, 0x3c03, 0x3c04, 0x3c05, 0x3c06, 0x3c07, 0x3c08],
  // Network and text locators.
  50: [0x4001],
  51: [0x4101],
  // Material and source packages: name, dates.
  54: [0x4402, 0x4404, 0x4405],
  55: [0x4402, 0x4404, 0x4405],
  // Tracks: name.
  57: [0x4802],
  58: [0x4802],
  59: [0x4802],
  // Comments: name, value.
  63: [0x5001, 0x5003],
  // Descriptive segment: comment.
  65: [0x0602],
  // Time code: start.
  20: [0x1501],
};

/** The identity of a set, which references to it use, and the one of its author program. */
const identityTags = new Set([0x3c0a, 0x0102]);

/** A header partition may begin after other data (SMPTE ST 377-1, 6.5). */
const maxRunInBytes = 65_536;
const maxItems = 2_000_000;

interface Item {
  readonly key: Buffer;
  readonly offset: number;
  readonly content: number;
  readonly end: number;
}

/** The changes to an MXF file. Throws `RangeError` where its structure is broken. */
export async function planMxf(source: PatchSource): Promise<Patch[]> {
  const head = await source.read(0, Math.min(source.size, maxRunInBytes + keyBytes));
  const start = head.indexOf(Buffer.concat([keyStart, partitionKey]));
  if (start < 0) throw new DamagedDataError("no header partition");
  const patches: Patch[] = [];
  const seen = new Set<number>();
  const queue = [start];
  for (let offset = queue.pop(); offset !== undefined; offset = queue.pop()) {
    if (seen.has(offset) || offset >= source.size) continue;
    seen.add(offset);
    if (seen.size > maxItems) throw new DamagedDataError("too many partitions");
    const pack = await readItem(source, offset);
    if (!isPartition(pack)) throw new DamagedDataError("not a partition");
    const { previous, footer, headerBytes } = await readPartition(source, pack);
    patches.push(...(await planHeaderMetadata(source, pack.end, headerBytes)));
    if (offset > start) queue.push(start + previous);
    else if (footer > 0) queue.push(start + footer);
    else queue.push(...(await findPartitions(source, pack.end)));
  }
  return patches;
}

function isPartition({ key }: Item): boolean {
  return key.subarray(4, 13).equals(partitionKey) && (key[13] ?? 0) <= 4;
}

/** The offsets are relative to the header partition. */
async function readPartition(source: PatchSource, { content }: Item) {
  const pack = await source.read(content, 40);
  return {
    previous: Number(pack.readBigUInt64BE(16)),
    footer: Number(pack.readBigUInt64BE(24)),
    headerBytes: Number(pack.readBigUInt64BE(32)),
  };
}

/** All partitions of a recording that was not finished, whose header does not know the last one. */
async function findPartitions(source: PatchSource, start: number): Promise<number[]> {
  const found: number[] = [];
  for (let offset = start, seen = 0; offset + keyBytes + 1 <= source.size; seen++) {
    if (seen > maxItems) throw new DamagedDataError("too many items");
    const item = await readItem(source, offset);
    if (isPartition(item)) found.push(offset);
    offset = item.end;
  }
  return found;
}

/** The sets of one partition: `bytes` from the first item that is no filler. */
async function planHeaderMetadata(source: PatchSource, start: number, bytes: number) {
  const patches: Patch[] = [];
  let end: number | undefined;
  for (let offset = start; bytes > 0 && offset < (end ?? source.size); ) {
    const item = await readItem(source, offset);
    const isFiller = item.key.subarray(8, 12).equals(Buffer.from("03010210", "hex"));
    if (!isFiller) end ??= offset + bytes;
    if (item.key.subarray(4, 6).equals(localSet)) patches.push(...(await planSet(source, item)));
    offset = item.end;
    if (patches.length > maxItems) throw new DamagedDataError("too many sets");
  }
  return patches;
}

async function planSet(source: PatchSource, { key, content, end }: Item): Promise<Patch[]> {
  const isStructural = key.subarray(8, 14).equals(structuralSet);
  const cleared = clearedTags[key[14] ?? 0] ?? [];
  const body = await source.read(content, end - content);
  const patches: Patch[] = [];
  for (let at = 0; at + 4 <= body.length; ) {
    const tag = body.readUInt16BE(at);
    const zeros = body.readUInt16BE(at + 2);
    const isCleared = isStructural ? cleared.includes(tag) : !identityTags.has(tag);
    if (isCleared && zeros > 0) patches.push({ offset: content + at + 4, zeros });
    at += 4 + zeros;
    if (at > body.length) throw new DamagedDataError("value past its set");
  }
  return patches;
}

/** The key, and a length that is one byte below 128 or says how many bytes it has. */
async function readItem(source: PatchSource, offset: number): Promise<Item> {
  const head = await source.read(offset, Math.min(keyBytes + 9, source.size - offset));
  const key = head.subarray(0, keyBytes);
  if (head.length <= keyBytes || !key.subarray(0, 4).equals(keyStart)) {
    throw new DamagedDataError("not an item");
  }
  const first = head[keyBytes] ?? 0;
  const lengthBytes = first < 128 ? 0 : first - 128;
  if (lengthBytes > 8 || head.length < keyBytes + 1 + lengthBytes) {
    throw new DamagedDataError("item without its length");
  }
  const bytes = head.subarray(keyBytes + 1, keyBytes + 1 + lengthBytes);
  const length = bytes.reduce((sum, byte) => sum * 256 + byte, first < 128 ? first : 0);
  const content = offset + keyBytes + 1 + lengthBytes;
  // A recording that was cut off ends inside its last item.
  return { key, offset, content, end: Math.min(content + length, source.size) };
}
