import { crc32, deflateSync } from "node:zlib";
import type { Sharp } from "sharp";
import type { JobErrorCode } from "#lib/errors.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { paintFrames, paintScene } from "./images.ts";

/** An image that means harm, is damaged, or is merely rare, and what becomes of a job with it. */
export interface BadImage {
  readonly id: string;
  readonly type: MediaTypeId;
  readonly build: () => Promise<Buffer> | Buffer;
  readonly expected: "completes" | JobErrorCode;
}

function pngChunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** A grey PNG of one bit a pixel, all black; `rows` of its pixels are there. */
function blackPng(width: number, height: number, rows = height, extra: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * rows));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    ...extra,
    pngChunk("IDAT", pixels),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A profile that unpacks to 32 MB of nothing, which libpng leaves packed. */
function profileBomb(): Buffer {
  const name = Buffer.from("bomb\0\0", "latin1");
  return pngChunk("iCCP", Buffer.concat([name, deflateSync(Buffer.alloc(32 * 2 ** 20))]));
}

/** A GIF whose frames are one pixel each on a canvas of `width` × `height`. */
function manyFrames(width: number, height: number, count: number): Buffer {
  const screen = Buffer.from("GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const frame = Buffer.from("\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0", "latin1");
  return Buffer.concat([screen, ...Array.from({ length: count }, () => frame), Buffer.from(";")]);
}

/** A TIFF of CIELAB, 16 × 16, its pixels stored as they are. */
function labTiff(bits: 8 | 16): Buffer {
  const size = 16;
  const color = bits === 8 ? [180, 30, 226] : [0, 180, 0, 30, 0, 226];
  const pixels = Buffer.alloc(size * size * color.length, Buffer.from(color));
  // Tag, type (3 is 16 bits, 4 is 32), count, value: TIFF 6.0, section 23.
  const entries = [
    [256, 3, 1, size],
    [257, 3, 1, size],
    [258, 3, 3, 8 + pixels.length],
    [259, 3, 1, 1],
    [262, 3, 1, 8],
    [273, 4, 1, 8],
    [277, 3, 1, 3],
    [278, 3, 1, size],
    [279, 4, 1, pixels.length],
  ] as const;
  const head = Buffer.from("II*\0\0\0\0\0", "latin1");
  const depths = Buffer.from([bits, 0, bits, 0, bits, 0]);
  head.writeUInt32LE(8 + pixels.length + depths.length, 4);
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16LE(entries.length, 0);
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 2 + index * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    directory.writeUInt32LE(value, at + 8);
  }
  return Buffer.concat([head, pixels, depths, directory]);
}

/** A TIFF whose list of pages leads back to its first page. */
async function loopingTiff(): Promise<Buffer> {
  const bytes = await paintScene().tiff({ compression: "lzw" }).toBuffer();
  const first = bytes.readUInt32LE(4);
  bytes.writeUInt32LE(first, first + 2 + bytes.readUInt16LE(first) * 12);
  return bytes;
}

async function truncated(image: Sharp): Promise<Buffer> {
  const bytes = await image.toBuffer();
  return bytes.subarray(0, Math.floor(bytes.length * 0.6));
}

/** Flips bits in the middle of a PNG's pixels, so that their checksum is wrong. */
async function badChecksum(): Promise<Buffer> {
  const bytes = await paintScene().png().toBuffer();
  const at = bytes.indexOf("IDAT") + 400;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}

async function withOrientation(orientation: number): Promise<Buffer> {
  const bytes = await paintScene().withMetadata({ orientation: 8 }).jpeg().toBuffer();
  const at = bytes.indexOf(Buffer.from([0x12, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x08]));
  bytes[at + 8] = orientation;
  return bytes;
}

async function polyglot(): Promise<Buffer> {
  const html = Buffer.from("<html><script>alert(1)</script>PK\x03\x04", "latin1");
  return Buffer.concat([await paintScene().png().toBuffer(), html]);
}

const onePixel = () => paintScene({ width: 1, height: 1 });
const oneColumn = (height: number) => paintScene({ width: 1, height });
const frames = () => paintFrames(["#aa3333", "#33aa33"]);

export const badImages: readonly BadImage[] = [
  row("png of 50,000² by its header", "png", () => blackPng(50_000, 50_000, 1), "too_complex"),
  row("png of 256 megapixels in 32 KB", "png", () => blackPng(16_000, 16_000), "too_complex"),
  row(
    "png whose profile is a bomb",
    "png",
    () => blackPng(50, 50, 50, [profileBomb()]),
    "completes",
  ),
  row("png with too few pixels", "png", () => blackPng(500, 500, 20), "corrupt"),
  row("png with a bad checksum", "png", badChecksum, "corrupt"),
  row("gif of 10,000 frames", "gif", () => manyFrames(101, 100, 10_000), "too_complex"),
  row("truncated jpeg", "jpeg", () => truncated(paintScene().jpeg()), "corrupt"),
  row("truncated png", "png", () => truncated(paintScene().png()), "corrupt"),
  row("truncated webp", "webp", () => truncated(paintScene().webp()), "corrupt"),
  row("truncated avif", "avif", () => truncated(paintScene().avif({ effort: 0 })), "corrupt"),
  row("truncated gif", "gif", () => truncated(paintScene().gif()), "corrupt"),
  row("truncated tiff", "tiff", () => truncated(paintScene().tiff()), "corrupt"),
  row("tiff with a looping directory", "tiff", loopingTiff, "completes"),
  row("html named png", "png", () => Buffer.from("<html><body>hello</body></html>"), "corrupt"),
  row("polyglot of png and html", "png", polyglot, "completes"),
  row(
    "svg with the name of a jpeg",
    "jpeg",
    () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "corrupt",
  ),
  row(
    "cmyk jpeg",
    "jpeg",
    () => paintScene().withIccProfile("cmyk").jpeg().toBuffer(),
    "completes",
  ),
  row(
    "16-bit png",
    "png",
    () => paintScene({ bits: 16, channels: 4 }).png().toBuffer(),
    "completes",
  ),
  row("palette png", "png", () => paintScene().png({ palette: true }).toBuffer(), "completes"),
  row("bilevel png", "png", () => blackPng(50, 40), "completes"),
  row("16-bit lab tiff", "tiff", () => labTiff(16), "completes"),
  row("8-bit lab tiff", "tiff", () => labTiff(8), "unsupported_type"),
  ...Array.from({ length: 10 }, (_, tag) =>
    row(`jpeg of orientation ${tag}`, "jpeg", () => withOrientation(tag), "completes"),
  ),
  row(
    "gif of frames without time",
    "gif",
    async () => (await frames()).gif({ delay: 0 }).toBuffer(),
    "completes",
  ),
  row(
    "webp of frames without time",
    "webp",
    async () => (await frames()).webp({ delay: 0 }).toBuffer(),
    "completes",
  ),
  row("png of 1×1", "png", () => onePixel().png().toBuffer(), "completes"),
  row("jpeg of 1×1", "jpeg", () => onePixel().jpeg().toBuffer(), "completes"),
  row("webp of 1×1", "webp", () => onePixel().webp().toBuffer(), "completes"),
  row("gif of 1×1", "gif", () => onePixel().gif().toBuffer(), "completes"),
  row("avif of 1×1", "avif", () => onePixel().avif({ effort: 0 }).toBuffer(), "completes"),
  row("tiff of 1×1", "tiff", () => onePixel().tiff().toBuffer(), "completes"),
  row("png of 1×65535", "png", () => oneColumn(65_535).png().toBuffer(), "completes"),
  row(
    "jpeg of 1×65500, the most that libjpeg writes",
    "jpeg",
    () => oneColumn(65_500).jpeg().toBuffer(),
    "completes",
  ),
];

function row(
  id: string,
  type: MediaTypeId,
  build: BadImage["build"],
  expected: BadImage["expected"],
): BadImage {
  return { id, type, build, expected };
}
