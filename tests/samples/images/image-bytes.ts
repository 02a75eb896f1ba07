import { crc32, deflateSync } from "node:zlib";
import { zlibBomb } from "#tests/hostile/documents/deflate-bomb.ts";

/** Images written byte by byte, with content that no encoder writes. */

/** Makes a PNG chunk. */
export function pngChunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

export interface BlackPngOptions {
  readonly width: number;
  readonly height: number;
  /** zlib data; by default of all pixels. */
  readonly pixels?: Buffer;
  /** Chunks before the pixels. */
  readonly chunks?: readonly Buffer[];
}

/** Makes a black PNG with one bit per pixel. */
export function makeBlackPng({ width, height, pixels, chunks = [] }: BlackPngOptions): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    ...chunks,
    pngChunk("IDAT", pixels ?? deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height))),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Makes a GIF of `count` frames with one pixel each; headers declare `width` × `height` and frames of `side`². */
export function makeGif(width: number, height: number, count: number, side = 1): Buffer {
  const screen = Buffer.from("GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const frame = Buffer.from("\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0", "latin1");
  frame.writeUInt16LE(side, 5);
  frame.writeUInt16LE(side, 7);
  return Buffer.concat([screen, ...Array.from({ length: count }, () => frame), Buffer.from(";")]);
}

/**
 * An entry of a TIFF: tag, type (3: 16 bits, 4: 32 bits), count and value (TIFF 6.0, section 2).
 */
export type TiffEntry = readonly [tag: number, type: 3 | 4, count: number, value: number];

/** Makes a little-endian TIFF with one directory: `data` at byte 8, then the directory. */
export function makeTiff(data: Buffer, entries: readonly TiffEntry[]): Buffer {
  const head = Buffer.from("II*\0\0\0\0\0", "latin1");
  head.writeUInt32LE(8 + data.length, 4);
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16LE(entries.length, 0);
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 2 + index * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    directory.writeUInt32LE(value, at + 8);
  }
  return Buffer.concat([head, data, directory]);
}

/** Makes an uncompressed CIELAB TIFF of 16 × 16 pixels. */
export function makeLabTiff(bits: 8 | 16): Buffer {
  const size = 16;
  const color = bits === 8 ? [180, 30, 226] : [0, 180, 0, 30, 0, 226];
  const pixels = Buffer.alloc(size * size * color.length, Buffer.from(color));
  const depths = Buffer.from([bits, 0, bits, 0, bits, 0]);
  return makeTiff(Buffer.concat([pixels, depths]), [
    [256, 3, 1, size],
    [257, 3, 1, size],
    [258, 3, 3, 8 + pixels.length],
    [259, 3, 1, 1],
    [262, 3, 1, 8],
    [273, 4, 1, 8],
    [277, 3, 1, 3],
    [278, 3, 1, size],
    [279, 4, 1, pixels.length],
  ]);
}

/** Makes a grayscale TIFF that declares `side` × `side` pixels in one highly compressed strip. */
export function makeHugeTiff(side: number): Buffer {
  const pixels = zlibBomb(16);
  return makeTiff(pixels, [
    [256, 4, 1, side],
    [257, 4, 1, side],
    [258, 3, 1, 8],
    [259, 3, 1, 8],
    [262, 3, 1, 1],
    [273, 4, 1, 8],
    [277, 3, 1, 1],
    [278, 4, 1, side],
    [279, 4, 1, pixels.length],
  ]);
}

/** Writes `width` and `height` into the frame header (SOF0 or SOF2) of a JPEG. */
export function resizeJpegHeader(jpeg: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg);
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    if (bytes[at + 1] === 0xc0 || bytes[at + 1] === 0xc2) {
      bytes.writeUInt16BE(height, at + 5);
      bytes.writeUInt16BE(width, at + 7);
      return bytes;
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  throw new Error("the JPEG has no frame header");
}

/** Inserts segments after the first marker of a JPEG; each is the second byte of its marker, and data. */
export function insertJpegSegments(jpeg: Buffer, segments: readonly (readonly [number, Buffer])[]) {
  const written = segments.map(([marker, data]) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...written, jpeg.subarray(2)]);
}

/** Makes a TIFF with a gray page of each size. */
export function makeTiffPages(
  sizes: readonly (readonly [width: number, height: number])[],
): Buffer {
  const parts = [Buffer.from("II*\0\x08\0\0\0", "latin1")];
  let start = 8;
  for (const [index, [width, height]] of sizes.entries()) {
    const entries = [
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [277, 1],
      [278, height],
      [279, width * height],
    ].toSpliced(5, 0, [273, 0]);
    const head = 2 + entries.length * 12 + 4;
    const directory = Buffer.alloc(head);
    directory.writeUInt16LE(entries.length);
    for (const [row, [tag = 0, value = 0]] of entries.entries()) {
      const at = 2 + row * 12;
      directory.writeUInt16LE(tag, at);
      directory.writeUInt16LE(4, at + 2);
      directory.writeUInt32LE(1, at + 4);
      directory.writeUInt32LE(tag === 273 ? start + head : value, at + 8);
    }
    const end = start + head + width * height;
    directory.writeUInt32LE(index + 1 < sizes.length ? end : 0, head - 4);
    parts.push(directory, Buffer.alloc(width * height, 128));
    start = end;
  }
  return Buffer.concat(parts);
}

/** A gray JPEG of one block, with a coefficient that decoders take, but that no encoder may write. */
export function makeExcessiveJpeg(): Buffer {
  const segment = (marker: number, content: string) => {
    const bytes = Buffer.from(content, "hex");
    return Buffer.concat([Buffer.from([0xff, marker, 0, bytes.length + 2]), bytes]);
  };
  const oneCode = `01${"00".repeat(15)}`;
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, `00${"01".repeat(64)}`),
    segment(0xc0, "080008000801011100"),
    // The only code, 0, stands for a coefficient of 12 bits, and for the end of the block.
    segment(0xc4, `00${oneCode}0c`),
    segment(0xc4, `10${oneCode}00`),
    segment(0xda, "010100003f00"),
    Buffer.from("7ffbffd9", "hex"),
  ]);
}
