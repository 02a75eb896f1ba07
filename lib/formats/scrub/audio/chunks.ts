import { DamagedDataError } from "#lib/media/damaged-data.ts";
import type { PatchSource } from "../patch.ts";

/** A chunk of a container that is a list of types, lengths and contents. */
export interface Chunk {
  readonly type: string;
  /** Where its header begins, its content begins, and it ends without padding. */
  readonly offset: number;
  readonly content: number;
  readonly end: number;
}

export interface ChunkLayout {
  /** The bytes of the length, big-endian. A length of 8 bytes may be -1: up to the end of the file. */
  readonly lengthBytes: 4 | 8;
  /** Chunks begin at multiples of this number. */
  readonly alignment: 1 | 2;
}

const maxChunks = 100_000;

/** The chunks from `start` to the end of the file. Throws `RangeError` where one is longer than that. */
export async function readChunkList(
  source: PatchSource,
  start: number,
  { lengthBytes, alignment }: ChunkLayout,
): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  const headerBytes = 4 + lengthBytes;
  for (let offset = start; offset + headerBytes <= source.size; ) {
    const header = await source.read(offset, headerBytes);
    const length = lengthBytes === 4 ? header.readUInt32BE(4) : Number(header.readBigInt64BE(4));
    const content = offset + headerBytes;
    const end = length === -1 ? source.size : content + length;
    if (length < -1 || end > source.size) throw new DamagedDataError("chunk past the end");
    chunks.push({ type: header.toString("latin1", 0, 4), offset, content, end });
    if (chunks.length > maxChunks) throw new DamagedDataError("too many chunks");
    offset = end + (length % alignment);
  }
  return chunks;
}
