import { crc32 } from "node:zlib";
import type { ByteReader } from "#lib/media/byte-source.ts";

/** The bytes before the first chunk (PNG, third edition, 5.2). */
export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A chunk of a PNG file (5.3): its content is between a header of eight bytes and a check sum of four. */
export interface PngChunk {
  readonly name: string;
  readonly start: number;
  readonly content: number;
  readonly contentEnd: number;
  readonly end: number;
}

const headerBytes = 8;
const checkSumBytes = 4;
/** The bytes that are read at a time: chunks may be short. */
const blockBytes = 64 * 1024;

/** The chunks of a PNG file of `size` bytes, up to `IEND`. Stops before one that ends after the file. */
export async function* walkChunks(source: ByteReader, size: number): AsyncGenerator<PngChunk> {
  let block: Buffer = Buffer.alloc(0);
  let blockStart = 0;
  for (let start = pngSignature.length; start + headerBytes + checkSumBytes <= size; ) {
    if (start + headerBytes > blockStart + block.length) {
      block = await source.read(start, Math.min(blockBytes, size - start));
      blockStart = start;
      if (block.length < headerBytes) return;
    }
    const at = start - blockStart;
    const content = start + headerBytes;
    const contentEnd = content + block.readUInt32BE(at);
    const end = contentEnd + checkSumBytes;
    if (end > size) return;
    const name = block.toString("latin1", at + 4, at + headerBytes);
    yield { name, start, content, contentEnd, end };
    if (name === "IEND") return;
    start = end;
  }
}

export function pngChunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(content.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), chunk.length - 4);
  return chunk;
}
