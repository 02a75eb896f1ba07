import type { PatchSource } from "./patch.ts";

/** Boxes of ISO base media files (ISO/IEC 14496-12, 4.2) and atoms of QuickTime, which are the same. */
export interface Box {
  readonly type: string;
  /** Where its header begins, its content begins, and it ends. */
  readonly offset: number;
  readonly content: number;
  readonly end: number;
}

const maxBoxes = 500_000;

/** The boxes from `start` to `end`. Throws `RangeError` where they do not fit into it. */
export async function readBoxes(source: PatchSource, start: number, end: number): Promise<Box[]> {
  const boxes: Box[] = [];
  let offset = start;
  // QuickTime ends some lists with four zero bytes.
  while (offset + 8 <= end) {
    const header = await source.read(offset, Math.min(16, end - offset));
    const type = header.toString("latin1", 4, 8);
    const size = header.readUInt32BE(0);
    const isLarge = size === 1;
    if (isLarge && header.length < 16) throw new RangeError("a box without its size");
    const length = isLarge ? Number(header.readBigUInt64BE(8)) : size === 0 ? end - offset : size;
    const content = offset + (isLarge ? 16 : 8);
    if (length < content - offset || offset + length > end) {
      // A recording that was cut off ends inside its media data; nothing else may.
      if (type !== "mdat" || end !== source.size) throw new RangeError("a box past its parent");
      boxes.push({ type, offset, content, end });
      break;
    }
    boxes.push({ type, offset, content, end: offset + length });
    if (boxes.length > maxBoxes) throw new RangeError("too many boxes");
    offset += length;
  }
  return boxes;
}

/** The first box at `path` below `boxes`, such as `["mdia", "hdlr"]`. */
export async function findBox(
  source: PatchSource,
  boxes: readonly Box[],
  path: readonly string[],
): Promise<Box | undefined> {
  const [type, ...rest] = path;
  const box = boxes.find((one) => one.type === type);
  if (!box || rest.length === 0) return box;
  return findBox(source, await readBoxes(source, box.content, box.end), rest);
}

/** Where the samples of a track lie: one range a chunk, from its sample table (`stbl`). */
export async function readChunks(
  source: PatchSource,
  table: readonly Box[],
): Promise<{ offset: number; length: number }[]> {
  const content = async (type: string) => {
    const box = table.find((one) => one.type === type);
    if (!box || box.end - box.content > maxTableBytes) return undefined;
    return source.read(box.content, box.end - box.content);
  };
  const sizes = await content("stsz");
  const runs = await content("stsc");
  const small = await content("stco");
  const offsets = small ?? (await content("co64"));
  if (!sizes || !runs || !offsets) return [];
  const width = small ? 4 : 8;
  const chunkCount = Math.min(offsets.readUInt32BE(4), (offsets.length - 8) / width);
  const fixed = sizes.readUInt32BE(4);
  const chunks: { offset: number; length: number }[] = [];
  let sample = 0;
  let run = 0;
  for (let chunk = 1; chunk <= chunkCount; chunk++) {
    // Each run of chunks lasts up to where the next one begins.
    const next = 8 + 12 * (run + 1);
    if (next + 12 <= runs.length && runs.readUInt32BE(next) <= chunk) run++;
    const samples = runs.readUInt32BE(8 + 12 * run + 4);
    let length = fixed * samples;
    for (let index = 0; fixed === 0 && index < samples; index++, sample++) {
      const at = 12 + 4 * sample;
      if (at + 4 > sizes.length) break;
      length += sizes.readUInt32BE(at);
    }
    const at = 8 + width * (chunk - 1);
    const offset = small ? offsets.readUInt32BE(at) : Number(offsets.readBigUInt64BE(at));
    chunks.push({ offset, length });
  }
  return chunks;
}

/** 24 hours of samples at 200 a second. */
const maxTableBytes = 128 * 2 ** 20;
