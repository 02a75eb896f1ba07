import { execFileSync } from "node:child_process";
import { deflateSync } from "node:zlib";
import type { Sharp } from "sharp";
import type { MediaTypeId } from "#lib/media/types.ts";
import {
  insertJpegSegments,
  makeBlackPng,
  makeExcessiveJpeg,
  makeGif,
  makeHugeTiff,
  makeLabTiff,
  pngChunk,
  resizeJpegHeader,
} from "#tests/samples/images/image-bytes.ts";
import { makeTestFrames, makeTestImage } from "#tests/samples/images/images.ts";
import type { BadInput } from "../bad-input.ts";
import { zlibBomb } from "../documents/deflate-bomb.ts";

/** Bad inputs: malicious, damaged and unusual raster images. */

/** The memory of two idle image workers and one that processes a harmless image. */
const maxImageBytes = 1.5 * 2 ** 30;

const gigabyteInMebibytes = 1024;

const metadataLimit: BadInput["expectedFor"] = {
  "image/metadata": ["completes", "too_complex"],
};

/** An ICC profile that inflates to `mebibytes` of zeros. */
function profileBomb(mebibytes: number): Buffer {
  const name = Buffer.from("bomb\0\0", "latin1");
  return pngChunk("iCCP", Buffer.concat([name, zlibBomb(mebibytes)]));
}

/** A JPEG with an ICC profile of 16 MB in 255 segments, the maximum. */
async function hugeProfile(): Promise<Buffer> {
  const jpeg = await makeTestImage().jpeg().toBuffer();
  const segment = (number: number) =>
    Buffer.concat([Buffer.from(`ICC_PROFILE\0`), Buffer.from([number, 255]), Buffer.alloc(65_000)]);
  return insertJpegSegments(
    jpeg,
    Array.from({ length: 255 }, (_, index) => [0xe2, segment(index + 1)] as const),
  );
}

/** A TIFF whose last directory points back to its first one. */
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
  const bytes = await makeTestImage().png().toBuffer();
  const at = bytes.indexOf("IDAT") + 400;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}

async function withOrientation(orientation: number): Promise<Buffer> {
  const bytes = await makeTestImage().withMetadata({ orientation: 8 }).jpeg().toBuffer();
  const at = bytes.indexOf(Buffer.from([0x12, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x08]));
  bytes[at + 8] = orientation;
  return bytes;
}

/** An AVIF that declares 60,000 × 60,000 pixels in its `ispe` property. */
async function hugeAvif(): Promise<Buffer> {
  const bytes = await makeTestImage().avif({ effort: 0 }).toBuffer();
  const at = bytes.indexOf("ispe");
  bytes.writeUInt32BE(60_000, at + 8);
  bytes.writeUInt32BE(60_000, at + 12);
  return bytes;
}

/** A lossy WebP whose frame header declares the maximum size. */
async function hugeWebp(): Promise<Buffer> {
  const bytes = await makeTestImage().webp().toBuffer();
  const at = bytes.indexOf(Buffer.from([0x9d, 0x01, 0x2a]));
  bytes.writeUInt16LE(16_383, at + 3);
  bytes.writeUInt16LE(16_383, at + 5);
  return bytes;
}

const page = "<html><script>alert(1)</script><body>hello</body></html>";
const onePixel = () => makeTestImage({ width: 1, height: 1 });
const oneColumn = (height: number) => makeTestImage({ width: 1, height });
const frames = () => makeTestFrames(["#aa3333", "#33aa33"]);
const jpeg = () => makeTestImage().jpeg().toBuffer();
const png = () => makeTestImage().png().toBuffer();

type Build = BadInput["build"];
const row =
  (expected: BadInput["expected"]) =>
  (id: string, type: MediaTypeId, build: Build, more: Partial<BadInput> = {}): BadInput => ({
    id,
    type,
    build,
    expected,
    ...more,
  });
const fine = row(["completes"]);
const corrupt = row(["corrupt"]);
const tooComplex = (
  id: string,
  type: MediaTypeId,
  build: Build,
  more: Pick<BadInput, "expectedFor"> = {},
) => row(["too_complex"])(id, type, build, { maxEngineBytes: maxImageBytes, ...more });

/** The example of this operation writes WebP, which has at most 16,383 pixels a side. */
const tooLongForWebp = { expectedFor: { "image/convert": ["too_complex"] } } as const;

export const badImages: readonly BadInput[] = [
  tooComplex("png that declares 50,000²", "png", () =>
    makeBlackPng({ width: 50_000, height: 50_000, pixels: deflateSync(Buffer.alloc(6251)) }),
  ),
  tooComplex("png of 256 megapixels in 32 KB", "png", () =>
    makeBlackPng({ width: 16_000, height: 16_000 }),
  ),
  tooComplex("jpeg that declares 65,500²", "jpeg", async () =>
    resizeJpegHeader(await jpeg(), 65_500, 65_500),
  ),
  tooComplex("gif with a frame of 65,535²", "gif", () => makeGif(65_535, 65_535, 1, 65_535)),
  // The canvas is reduced to the size of its frames.
  fine("gif with a canvas of 65,535²", "gif", () => makeGif(65_535, 65_535, 1), {
    maxEngineBytes: maxImageBytes,
  }),
  tooComplex("tiff of 60,000² in 16 KB", "tiff", () => makeHugeTiff(60_000)),
  tooComplex("webp that declares 16,383²", "webp", hugeWebp),
  // libheif has its own limit, and reports larger images as damaged.
  row(["too_complex", "corrupt"])("avif that declares 60,000²", "avif", hugeAvif, {
    maxEngineBytes: maxImageBytes,
  }),
  tooComplex("gif with 10,000 frames", "gif", () => makeGif(101, 100, 10_000), {
    // Only the first frame is drawn.
    expectedFor: { "document/watermark-pdf/watermark": ["completes"] },
  }),
  fine(
    "png with a profile that inflates to 1 GB",
    "png",
    () => makeBlackPng({ width: 50, height: 50, chunks: [profileBomb(gigabyteInMebibytes)] }),
    { maxEngineBytes: maxImageBytes, expectedFor: metadataLimit },
  ),
  fine(
    "png with a comment that inflates to 1 GB",
    "png",
    () => {
      const text = Buffer.concat([Buffer.from("Comment\0\0"), zlibBomb(gigabyteInMebibytes)]);
      return makeBlackPng({ width: 50, height: 50, chunks: [pngChunk("zTXt", text)] });
    },
    { maxEngineBytes: maxImageBytes, expectedFor: metadataLimit },
  ),
  // Only as much is inflated as the image has pixels.
  fine(
    "png with pixels that inflate to 1 GB",
    "png",
    () => makeBlackPng({ width: 50, height: 50, pixels: zlibBomb(gigabyteInMebibytes) }),
    { maxEngineBytes: maxImageBytes },
  ),
  corrupt("png with too few pixels", "png", () =>
    makeBlackPng({ width: 500, height: 500, pixels: deflateSync(Buffer.alloc(1000)) }),
  ),
  corrupt("png with a bad checksum", "png", badChecksum),
  corrupt("truncated jpeg", "jpeg", () => truncated(makeTestImage().jpeg())),
  corrupt("truncated progressive jpeg", "jpeg", () =>
    truncated(makeTestImage().jpeg({ progressive: true })),
  ),
  // Only what writes its coefficients again notices it.
  fine("jpeg with a coefficient out of range", "jpeg", makeExcessiveJpeg, {
    expectedFor: { "image/flip": ["corrupt"], "image/rotate": ["corrupt"] },
  }),
  fine("jpeg with arithmetic codes", "jpeg", async () =>
    execFileSync("jpegtran", ["-arithmetic", "-progressive"], { input: await jpeg() }),
  ),
  corrupt("truncated png", "png", () => truncated(makeTestImage().png())),
  corrupt("truncated webp", "webp", () => truncated(makeTestImage().webp())),
  corrupt("truncated avif", "avif", () => truncated(makeTestImage().avif({ effort: 0 }))),
  corrupt("truncated gif", "gif", () => truncated(makeTestImage().gif())),
  corrupt("truncated tiff", "tiff", () => truncated(makeTestImage().tiff())),
  fine("tiff with a looping directory", "tiff", () => loopingTiff(makeTestImage()), {
    maxEngineBytes: maxImageBytes,
  }),
  fine("cmyk tiff with a looping directory", "tiff", () =>
    loopingTiff(makeTestImage().withIccProfile("cmyk")),
  ),
  corrupt("html named .png", "png", () => Buffer.from(page)),
  corrupt("html named .gif", "gif", () => Buffer.from(page)),
  corrupt("heic of noise", "heic", () =>
    Buffer.concat([
      Buffer.from("\0\0\0\x18ftypheic\0\0\0\0heicmif1", "latin1"),
      Buffer.alloc(500, 7),
    ]),
  ),
  corrupt("bmp that declares 60,000²", "bmp", () => {
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
    insertJpegSegments(await jpeg(), [[0xfe, Buffer.from(page)]]),
  ),
  corrupt("svg named .jpg", "jpeg", () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")),
  fine("cmyk jpeg", "jpeg", () => makeTestImage().withIccProfile("cmyk").jpeg().toBuffer()),
  row(["completes", "corrupt"])("jpeg with a profile of 16 MB", "jpeg", hugeProfile),
  fine("16-bit png", "png", () => makeTestImage({ bits: 16, channels: 4 }).png().toBuffer()),
  fine("palette png", "png", () => makeTestImage().png({ palette: true }).toBuffer()),
  fine("bilevel png", "png", () => makeBlackPng({ width: 50, height: 40 })),
  fine("16-bit lab tiff", "tiff", () => makeLabTiff(16)),
  row(["unsupported_type"])("8-bit lab tiff", "tiff", () => makeLabTiff(8)),
  ...Array.from({ length: 10 }, (_, tag) =>
    fine(`jpeg with orientation ${tag}`, "jpeg", () => withOrientation(tag)),
  ),
  fine("gif with frames without duration", "gif", async () =>
    (await frames()).gif({ delay: 0 }).toBuffer(),
  ),
  fine("webp with frames without duration", "webp", async () =>
    (await frames()).webp({ delay: 0 }).toBuffer(),
  ),
  fine("png of 1×1", "png", () => onePixel().png().toBuffer()),
  fine("jpeg of 1×1", "jpeg", () => onePixel().jpeg().toBuffer()),
  fine("webp of 1×1", "webp", () => onePixel().webp().toBuffer()),
  fine("gif of 1×1", "gif", () => onePixel().gif().toBuffer()),
  fine("avif of 1×1", "avif", () => onePixel().avif({ effort: 0 }).toBuffer()),
  fine("tiff of 1×1", "tiff", () => onePixel().tiff().toBuffer()),
  fine("png of 1×65535", "png", () => oneColumn(65_535).png().toBuffer(), tooLongForWebp),
  fine(
    "jpeg of 1×65500, the maximum of libjpeg",
    "jpeg",
    () => oneColumn(65_500).jpeg().toBuffer(),
    tooLongForWebp,
  ),
];
