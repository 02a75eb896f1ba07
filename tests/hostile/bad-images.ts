import { deflateSync } from "node:zlib";
import type { Sharp } from "sharp";
import type { MediaTypeId } from "#lib/media/types.ts";
import {
  blackPng,
  gifOfFrames,
  hugeTiff,
  labTiff,
  pngChunk,
  resizeJpegHeader,
  withSegments,
} from "../samples/image-bytes.ts";
import { paintFrames, paintScene } from "../samples/images.ts";
import type { BadInput } from "./bad-input.ts";
import { zlibBomb } from "./deflate-bomb.ts";

/** Images that mean harm, are damaged, or are merely rare. */

/** What a machine with two image workers at rest and one at work on a harmless image uses at most. */
const modest = 1.5 * 2 ** 30;

const gigabyte = 1024;

const readsMetadata: BadInput["except"] = { "pipeline/strip-metadata": ["too_complex"] };

/** A profile that unpacks to `mebibytes` of nothing. */
function profileBomb(mebibytes: number): Buffer {
  const name = Buffer.from("bomb\0\0", "latin1");
  return pngChunk("iCCP", Buffer.concat([name, zlibBomb(mebibytes)]));
}

/** 16 MB of a profile, in as many parts as a JPEG can have. */
async function hugeProfile(): Promise<Buffer> {
  const jpeg = await paintScene().jpeg().toBuffer();
  const part = (number: number) =>
    Buffer.concat([Buffer.from(`ICC_PROFILE\0`), Buffer.from([number, 255]), Buffer.alloc(65_000)]);
  return withSegments(
    jpeg,
    Array.from({ length: 255 }, (_, index) => [0xe2, part(index + 1)] as const),
  );
}

/** A TIFF whose list of pages leads back to its first page. */
async function loopingTiff(image: Sharp): Promise<Buffer> {
  const bytes = await image.tiff({ compression: "lzw" }).toBuffer();
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

/** An AVIF whose image says of itself, in its `ispe` property, that it is 60,000 pixels wide and high. */
async function hugeAvif(): Promise<Buffer> {
  const bytes = await paintScene().avif({ effort: 0 }).toBuffer();
  const at = bytes.indexOf("ispe");
  bytes.writeUInt32BE(60_000, at + 8);
  bytes.writeUInt32BE(60_000, at + 12);
  return bytes;
}

/** A lossy WebP of which the frame's header says the most that it can. */
async function hugeWebp(): Promise<Buffer> {
  const bytes = await paintScene().webp().toBuffer();
  const at = bytes.indexOf(Buffer.from([0x9d, 0x01, 0x2a]));
  bytes.writeUInt16LE(16_383, at + 3);
  bytes.writeUInt16LE(16_383, at + 5);
  return bytes;
}

const page = "<html><script>alert(1)</script><body>hello</body></html>";
const onePixel = () => paintScene({ width: 1, height: 1 });
const oneColumn = (height: number) => paintScene({ width: 1, height });
const frames = () => paintFrames(["#aa3333", "#33aa33"]);
const jpeg = () => paintScene().jpeg().toBuffer();
const png = () => paintScene().png().toBuffer();

type Build = BadInput["build"];
const row =
  (answers: BadInput["answers"]) =>
  (id: string, type: MediaTypeId, build: Build, more: Partial<BadInput> = {}): BadInput => ({
    ...{ id, type, build, answers },
    ...more,
  });
const fine = row(["completes"]);
const corrupt = row(["corrupt"]);
const tooComplex = (id: string, type: MediaTypeId, build: Build) =>
  row(["too_complex"])(id, type, build, { mostBytes: modest });

export const badImages: readonly BadInput[] = [
  tooComplex("png of 50,000² by its header", "png", () =>
    blackPng({ width: 50_000, height: 50_000, pixels: deflateSync(Buffer.alloc(6251)) }),
  ),
  tooComplex("png of 256 megapixels in 32 KB", "png", () =>
    blackPng({ width: 16_000, height: 16_000 }),
  ),
  tooComplex("jpeg of 65,500² by its header", "jpeg", async () =>
    resizeJpegHeader(await jpeg(), 65_500, 65_500),
  ),
  tooComplex("gif of 65,535² by its frame", "gif", () => gifOfFrames(65_535, 65_535, 1, 65_535)),
  // Canvases are as large as what is on them.
  fine("gif of 65,535² by its canvas", "gif", () => gifOfFrames(65_535, 65_535, 1), {
    mostBytes: modest,
  }),
  tooComplex("tiff of 60,000² in 16 KB", "tiff", () => hugeTiff(60_000)),
  tooComplex("webp of 16,383² by its header", "webp", hugeWebp),
  // libheif measures for itself, and calls what is too large for it damaged.
  row(["too_complex", "corrupt"])("avif of 60,000² by its header", "avif", hugeAvif, {
    mostBytes: modest,
  }),
  tooComplex("gif of 10,000 frames", "gif", () => gifOfFrames(101, 100, 10_000)),
  fine(
    "png whose profile is a bomb of 1 GB",
    "png",
    () => blackPng({ width: 50, height: 50, chunks: [profileBomb(gigabyte)] }),
    { mostBytes: modest, except: readsMetadata },
  ),
  fine(
    "png whose comment is a bomb of 1 GB",
    "png",
    () => {
      const text = Buffer.concat([Buffer.from("Comment\0\0"), zlibBomb(gigabyte)]);
      return blackPng({ width: 50, height: 50, chunks: [pngChunk("zTXt", text)] });
    },
    { mostBytes: modest, except: readsMetadata },
  ),
  // No more is unpacked than the picture has room for.
  fine(
    "png whose pixels are a bomb of 1 GB",
    "png",
    () => blackPng({ width: 50, height: 50, pixels: zlibBomb(gigabyte) }),
    { mostBytes: modest },
  ),
  corrupt("png with too few pixels", "png", () =>
    blackPng({ width: 500, height: 500, pixels: deflateSync(Buffer.alloc(1000)) }),
  ),
  corrupt("png with a bad checksum", "png", badChecksum),
  corrupt("truncated jpeg", "jpeg", () => truncated(paintScene().jpeg())),
  corrupt("truncated png", "png", () => truncated(paintScene().png())),
  corrupt("truncated webp", "webp", () => truncated(paintScene().webp())),
  corrupt("truncated avif", "avif", () => truncated(paintScene().avif({ effort: 0 }))),
  corrupt("truncated gif", "gif", () => truncated(paintScene().gif())),
  corrupt("truncated tiff", "tiff", () => truncated(paintScene().tiff())),
  fine("tiff with a looping directory", "tiff", () => loopingTiff(paintScene()), {
    mostBytes: modest,
  }),
  fine("cmyk tiff with a looping directory", "tiff", () =>
    loopingTiff(paintScene().withIccProfile("cmyk")),
  ),
  corrupt("html named png", "png", () => Buffer.from(page)),
  corrupt("html named gif", "gif", () => Buffer.from(page)),
  corrupt("heic of noise", "heic", () =>
    Buffer.concat([
      Buffer.from("\0\0\0\x18ftypheic\0\0\0\0heicmif1", "latin1"),
      Buffer.alloc(500, 7),
    ]),
  ),
  corrupt("bmp of 60,000² by its header", "bmp", () => {
    const bytes = Buffer.alloc(1000);
    bytes.write("BM");
    bytes.writeUInt32LE(40, 14);
    bytes.writeInt32LE(60_000, 18);
    bytes.writeInt32LE(60_000, 22);
    return bytes;
  }),
  fine("polyglot of png, html and zip", "png", async () =>
    Buffer.concat([await png(), Buffer.from(`${page}PK\x03\x04`, "latin1")]),
  ),
  fine("polyglot of jpeg and html", "jpeg", async () =>
    withSegments(await jpeg(), [[0xfe, Buffer.from(page)]]),
  ),
  corrupt("svg with the name of a jpeg", "jpeg", () =>
    Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
  ),
  fine("cmyk jpeg", "jpeg", () => paintScene().withIccProfile("cmyk").jpeg().toBuffer()),
  row(["completes", "corrupt"])("jpeg with a profile of 16 MB", "jpeg", hugeProfile),
  fine("16-bit png", "png", () => paintScene({ bits: 16, channels: 4 }).png().toBuffer()),
  fine("palette png", "png", () => paintScene().png({ palette: true }).toBuffer()),
  fine("bilevel png", "png", () => blackPng({ width: 50, height: 40 })),
  fine("16-bit lab tiff", "tiff", () => labTiff(16)),
  row(["unsupported_type"])("8-bit lab tiff", "tiff", () => labTiff(8)),
  ...Array.from({ length: 10 }, (_, tag) =>
    fine(`jpeg of orientation ${tag}`, "jpeg", () => withOrientation(tag)),
  ),
  fine("gif of frames without time", "gif", async () =>
    (await frames()).gif({ delay: 0 }).toBuffer(),
  ),
  fine("webp of frames without time", "webp", async () =>
    (await frames()).webp({ delay: 0 }).toBuffer(),
  ),
  fine("png of 1×1", "png", () => onePixel().png().toBuffer()),
  fine("jpeg of 1×1", "jpeg", () => onePixel().jpeg().toBuffer()),
  fine("webp of 1×1", "webp", () => onePixel().webp().toBuffer()),
  fine("gif of 1×1", "gif", () => onePixel().gif().toBuffer()),
  fine("avif of 1×1", "avif", () => onePixel().avif({ effort: 0 }).toBuffer()),
  fine("tiff of 1×1", "tiff", () => onePixel().tiff().toBuffer()),
  fine("png of 1×65535", "png", () => oneColumn(65_535).png().toBuffer()),
  fine("jpeg of 1×65500, the most that libjpeg writes", "jpeg", () =>
    oneColumn(65_500).jpeg().toBuffer(),
  ),
];
