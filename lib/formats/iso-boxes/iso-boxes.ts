import type { ByteReader, SizedReader } from "#lib/media/byte-source.ts";
import { DamagedDataError } from "#lib/media/damaged-data.ts";

/** A box of an ISO base media file (ISO/IEC 14496-12, 4.2); QuickTime's atoms have the same form. */
export interface Box {
  readonly type: string;
  /** Where its header begins, its content begins, and it ends. */
  readonly offset: number;
  readonly content: number;
  readonly end: number;
}

const headerBytes = 8;
/** The bytes of a header with a 64-bit size. */
const largeHeaderBytes = 16;

/**
 * The boxes that begin between `start` and `end`, as their headers declare them: a box may end past
 * `end`, and one with an impossible size, which ends before its content, is the last. Stops where
 * `source` has no more bytes.
 */
export async function* walkBoxes(
  source: ByteReader,
  start: number,
  end: number,
): AsyncGenerator<Box> {
  let offset = start;
  while (offset + headerBytes <= end) {
    const header = await source.read(offset, Math.min(largeHeaderBytes, end - offset));
    if (header.length < headerBytes) return;
    const box = parseHeader(header, offset, end);
    yield box;
    if (box.end < box.content) return;
    offset = box.end;
  }
}

function parseHeader(header: Buffer, offset: number, parentEnd: number): Box {
  const type = header.toString("latin1", 4, 8);
  const size = header.readUInt32BE(0);
  // 1: a 64-bit size follows; 0: the box extends to the end of its parent.
  const content = offset + (size === 1 ? largeHeaderBytes : headerBytes);
  if (size === 0) return { type, offset, content, end: parentEnd };
  const hasLargeSize = size === 1 && header.length >= largeHeaderBytes;
  const length = hasLargeSize ? Number(header.readBigUInt64BE(8)) : size;
  return { type, offset, content, end: offset + length };
}

/** The boxes of a list in memory, up to the first one that does not fit into it. */
export function* boxesIn(bytes: Buffer): Generator<Box> {
  let offset = 0;
  while (offset + headerBytes <= bytes.length) {
    const box = parseHeader(bytes.subarray(offset), offset, bytes.length);
    if (box.end < box.content || box.end > bytes.length) return;
    yield box;
    offset = box.end;
  }
}

/** The number of boxes after which a list is rejected. */
const maxBoxes = 500_000;

/**
 * The boxes from `start` to `end`. Throws `RangeError` where one does not fit into its parent. Only
 * media data may: a recording that was cut off ends inside it. Up to seven bytes after the last box
 * are ignored, because QuickTime ends some lists with four zero bytes.
 */
export async function readBoxes(source: SizedReader, start: number, end: number): Promise<Box[]> {
  const boxes: Box[] = [];
  for await (const box of walkBoxes(source, start, end)) {
    if (box.content > end) throw new DamagedDataError("box without its size");
    if (box.end < box.content || box.end > end) {
      if (box.type !== "mdat" || end !== source.size)
        throw new DamagedDataError("box past its parent");
      boxes.push({ ...box, end });
      break;
    }
    boxes.push(box);
    if (boxes.length > maxBoxes) throw new DamagedDataError("too many boxes");
  }
  return boxes;
}

/** The first box at `path` below `boxes`, such as `["mdia", "hdlr"]`. Throws like `readBoxes`. */
export async function findBox(
  source: SizedReader,
  boxes: readonly Box[],
  path: readonly string[],
): Promise<Box | undefined> {
  const [type, ...rest] = path;
  const box = boxes.find((one) => one.type === type);
  if (!box || rest.length === 0) return box;
  return findBox(source, await readBoxes(source, box.content, box.end), rest);
}
