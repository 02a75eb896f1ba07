import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { flip } from "#lib/operations/image/flip/index.ts";
import { makeTestImage, type Pixels, readPixels, toSample } from "#tests/samples/images/images.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const directions = ["horizontal", "vertical"] as const;
type Direction = (typeof directions)[number];

async function run(sample: Sample, direction: Direction) {
  const { outputs } = await runOperation(flip, sample, { direction });
  expect(outputs).toHaveLength(1);
  const { path = "", width = 0, height = 0 } = outputs[0] ?? {};
  return { path, width, height, metadata: await sharp(path, { pages: -1 }).metadata() };
}

/** The largest difference between `after` and `before` with each of its frames mirrored. */
function differenceFrom(before: Pixels, after: Pixels, direction: Direction, pages = 1): number {
  const { width, channels } = before;
  expect([after.width, after.height, after.channels]).toEqual([width, before.height, channels]);
  const height = before.height / pages;
  let largest = 0;
  for (let row = 0; row < before.height; row++) {
    const y = row % height;
    const fromRow = direction === "vertical" ? row - y + height - 1 - y : row;
    for (let x = 0; x < width; x++) {
      const fromX = direction === "horizontal" ? width - 1 - x : x;
      for (let channel = 0; channel < channels; channel++) {
        const is = after.samples[(row * width + x) * channels + channel] ?? 0;
        const was = before.samples[(fromRow * width + fromX) * channels + channel] ?? 0;
        largest = Math.max(largest, Math.abs(is - was));
      }
    }
  }
  return largest;
}

/** An animation or a file of several pages; each frame is different in all of its quarters. */
async function makeFrames(options: { channels?: 3 | 4; bits?: 8 | 16 } = {}): Promise<Sharp> {
  const frames = [0, 20, 40].map((left) =>
    makeTestImage({ width: 120, height: 60, ...options })
      .extract({ left, top: 0, width: 80, height: 50 })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } });
}

const rows: readonly [string, MediaTypeId, () => Sharp, number][] = [
  ["JPEG", "jpeg", () => makeTestImage().jpeg({ quality: 100, chromaSubsampling: "4:4:4" }), 8],
  ["CMYK JPEG", "jpeg", () => makeTestImage().withIccProfile("cmyk").jpeg({ quality: 100 }), 12],
  ["gray PNG with alpha", "png", () => makeTestImage({ channels: 2 }).png(), 0],
  ["16-bit PNG with alpha", "png", () => makeTestImage({ channels: 4, bits: 16 }).png(), 0],
  ["wide-gamut PNG", "png", () => makeTestImage().withIccProfile("p3").png(), 0],
  ["lossless WebP", "webp", () => makeTestImage({ channels: 4 }).webp({ lossless: true }), 0],
];

describe.each(directions)("%s", (direction) => {
  test.each(rows)("%s: pixels move, everything else stays", async (_, type, paint, tolerance) => {
    const sample = await toSample(type, await paint().toBuffer());
    const output = await run(sample, direction);
    const before = await sharp(sample.path).metadata();
    const facts = [
      "format",
      "width",
      "height",
      "space",
      "depth",
      "channels",
      "hasAlpha",
      "icc",
      "chromaSubsampling",
      "isProgressive",
      "density",
      "exif",
      "xmp",
      "iptc",
    ] as (keyof typeof before)[];
    for (const fact of facts) expect([fact, output.metadata[fact]]).toEqual([fact, before[fact]]);
    expect(output).toMatchObject({ width: before.width, height: before.height });
    const was = await readPixels(sample.path);
    const is = await readPixels(output.path);
    expect(differenceFrom(was, is, direction)).toBeLessThanOrEqual(tolerance);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("EXIF orientation %i is applied first", async (value) => {
    const painted = makeTestImage().withMetadata({ orientation: value });
    const sample = await toSample("png", await painted.png().toBuffer());
    const upright = await readPixels(sample.path, { upright: true });
    const output = await run(sample, direction);
    expect(output).toMatchObject({ width: upright.width, height: upright.height });
    expect(output.metadata.orientation ?? 1).toBe(1);
    expect(differenceFrom(upright, await readPixels(output.path), direction)).toBe(0);
  });

  // All orientations of frames: tests/lib/media/transform.test.ts.
  test.each([1, 6, 7])("and to each frame of a WebP: %i", async (value) => {
    const bytes = await (await makeFrames()).webp({ lossless: true }).toBuffer();
    const sample = await toSample("webp", bytes);
    const tags = ["-IFD0:Copyright=Ada", `-IFD0:Orientation#=${value}`];
    await exiftool("-q", "-overwrite_original", ...tags, sample.path);
    const output = await run(sample, direction);
    expect(await exiftool("-s3", "-n", "-Copyright", "-Orientation", output.path)).toBe("Ada\n1\n");
    expect(output.metadata.pages).toBe(3);
    const is = await readPixels(output.path);
    for (const page of [0, 1, 2]) {
      const opened = sharp(await sharp(bytes, { page }).png().toBuffer());
      const oriented = await opened.withMetadata({ orientation: value }).png().toBuffer();
      const frame = await toSample("png", oriented);
      const upright = await readPixels(frame.path, { upright: true });
      const { width, height } = upright;
      expect(output).toMatchObject({ width, height });
      const length = width * height * is.channels;
      const samples = is.samples.subarray(page * length, (page + 1) * length);
      expect(differenceFrom(upright, { ...is, height, samples }, direction)).toBe(0);
    }
  });

  const animated = { delay: [100, 250, 70], loop: 3 };

  test.each([
    ["gif", (image: Sharp) => image.gif({ ...animated, dither: 0 })],
    ["webp", (image: Sharp) => image.webp({ ...animated, lossless: true })],
  ] as const)("animated %s: frames, delays and the loop count stay", async (type, encode) => {
    const frames = (await makeFrames({ channels: 4 })).withIccProfile("p3");
    const sample = await toSample(type, await encode(frames).toBuffer());
    const { path, width, height, metadata } = await run(sample, direction);
    const { icc } = await sharp(sample.path).metadata();
    expect(metadata).toMatchObject({ format: type, pages: 3, pageHeight: 50, ...animated });
    expect(metadata.icc).toEqual(icc);
    expect([width, height]).toEqual([80, 50]);
    const was = await readPixels(sample.path);
    const is = await readPixels(path);
    expect(differenceFrom(was, is, direction, 3)).toBe(0);
  });

  test.each([
    ["16-bit RGB", (image: Sharp) => image.toColourspace("rgb16"), { bits: 16 }],
    ["gray with alpha", (image: Sharp) => image.toColourspace("b-w"), { channels: 4 }],
  ] as const)("each page of a %s TIFF", async (_, convert, options) => {
    const frames = convert(await makeFrames(options)).tiff({ compression: "lzw" });
    const sample = await toSample("tiff", await frames.toBuffer());
    const { path, metadata } = await run(sample, direction);
    const { space, depth, channels, icc } = await sharp(sample.path).metadata();
    expect(metadata).toMatchObject({ pages: 3, pageHeight: 50, space, depth, channels });
    expect(metadata.icc).toEqual(icc);
    const was = await readPixels(sample.path);
    const is = await readPixels(path);
    expect(differenceFrom(was, is, direction, 3)).toBe(0);
  });
});

test("EXIF and XMP of a JPEG stay, without the preview, which is not flipped", async () => {
  const sample = await toSample("jpeg", await makeTestImage().jpeg().toBuffer());
  const preview = await toSample("jpeg", await makeTestImage({ width: 40 }).jpeg().toBuffer());
  const tags = ["-IFD0:Copyright=Ada", "-XMP-dc:Title=Mill", `-ThumbnailImage<=${preview.path}`];
  await exiftool("-q", "-overwrite_original", ...tags, sample.path);
  expect(await exiftool("-s3", "-ThumbnailLength", sample.path)).not.toBe("");
  const { path } = await run(sample, "horizontal");
  const kept = await exiftool("-s3", "-ThumbnailLength", "-IFD0:Copyright", "-XMP-dc:Title", path);
  expect(kept).toBe("Ada\nMill\n");
});

describe("several pages in CMYK", () => {
  async function makePages(): Promise<Sample> {
    const pages = (await makeFrames()).withIccProfile("cmyk");
    return toSample("tiff", await pages.tiff({ compression: "lzw" }).toBuffer());
  }

  test("are flipped horizontally", async () => {
    const sample = await makePages();
    const { path, metadata } = await run(sample, "horizontal");
    expect(metadata).toMatchObject({ pages: 3, pageHeight: 50, space: "cmyk", channels: 4 });
    const was = await readPixels(sample.path);
    const is = await readPixels(path);
    expect(differenceFrom(was, is, "horizontal", 3)).toBe(0);
  });

  test("cannot be flipped vertically", async () => {
    const flipped = run(await makePages(), "vertical");
    await expect(flipped).rejects.toMatchObject({ code: "unsupported_type" });
  });
});

describe("errors", () => {
  test("an animation of too many frames is too complex", async () => {
    const sample = await toSample("gif", await (await makeFrames()).gif().toBuffer());
    const limits = { imageFrames: 2 };
    const params = { direction: "vertical" };
    const flipped = runOperation(flip, sample, params, {}, undefined, limits);
    await expect(flipped).rejects.toMatchObject({ code: "too_complex" });
  });

  test.each([
    ["png", () => makeTestImage().png().toBuffer()],
    ["webp", async () => (await makeFrames()).webp({ lossless: true }).toBuffer()],
  ] as const)("a damaged %s is corrupt", async (type, paint) => {
    const bytes = await paint();
    const sample = await toSample(type, bytes.subarray(0, bytes.length / 2));
    for (const direction of directions)
      await expect(run(sample, direction)).rejects.toMatchObject({ code: "corrupt" });
  });

  test.each([
    [{}],
    [{ direction: "both" }],
    [{ direction: "Horizontal" }],
    [{ direction: "vertical", angle: 90 }],
  ])("%j is rejected", (params) => {
    expect(flip.params.safeParse(params).success).toBe(false);
  });
});
