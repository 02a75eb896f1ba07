import { readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { trim } from "#lib/operations/image/trim/index.ts";
import { makeTestImage, readPixels, toSample } from "#tests/samples/images/images.ts";
import { describeDamage, runOnImage } from "#tests/support/image-operation.ts";

const run = (sample: Parameters<typeof runOnImage>[1], params: Record<string, unknown> = {}) =>
  runOnImage({ operation: trim, params }, sample);

/** A box of 40 × 30 pixels at 25, 10 in an image of 120 × 80 pixels. */
async function paintBox(background = "#ffffff", color = "#c03020", box = {}): Promise<Sharp> {
  const inner = { width: 40, height: 30, channels: 4, background: color, ...box } as const;
  const create = { width: 120, height: 80, channels: 4, background } as const;
  const image = sharp({ create }).composite([{ input: { create: inner }, left: 25, top: 10 }]);
  return sharp(await image.png().toBuffer());
}

const trimmed = { width: 40, height: 30 };

const rows: readonly [string, MediaTypeId, (image: Sharp) => Sharp][] = [
  ["PNG", "png", (image) => image.removeAlpha().png()],
  ["PNG with alpha", "png", (image) => image.png()],
  ["gray PNG", "png", (image) => image.removeAlpha().toColourspace("b-w").png()],
  ["16-bit PNG", "png", (image) => image.removeAlpha().toColourspace("rgb16").png()],
  ["lossless WebP", "webp", (image) => image.webp({ lossless: true })],
  ["TIFF", "tiff", (image) => image.tiff({ compression: "lzw" })],
  [
    "CMYK TIFF",
    "tiff",
    (image) => image.flatten().withIccProfile("cmyk").tiff({ compression: "lzw" }),
  ],
  ["GIF", "gif", (image) => image.gif()],
  ["JPEG", "jpeg", (image) => image.jpeg({ quality: 100, chromaSubsampling: "4:4:4" })],
];

test.each(rows)("%s: the border is cut off", async (_, type, encode) => {
  const sample = await toSample(type, await encode(await paintBox()).toBuffer());
  const output = await run(sample);
  const was = await sharp(sample.path).metadata();
  const facts = ["format", "space", "depth"] as const;
  for (const fact of facts) expect([fact, output.metadata[fact]]).toEqual([fact, was[fact]]);
  expect(output.metadata.icc).toEqual(was.icc);
  const tolerance = type === "jpeg" ? 2 : 0;
  expect(Math.abs(output.width - 40)).toBeLessThanOrEqual(tolerance);
  expect(Math.abs(output.height - 30)).toBeLessThanOrEqual(tolerance);
});

test("the pixels of the content stay as they are", async () => {
  const content = await makeTestImage({ width: 60, height: 40 }).png().toBuffer();
  const create = { width: 120, height: 80, channels: 3, background: "#ffffff" } as const;
  const image = sharp({ create }).composite([{ input: content, left: 30, top: 20 }]);
  const { path } = await run(await toSample("png", await image.png().toBuffer()));
  const expected = await sharp(content).ensureAlpha().raw().toBuffer();
  expect(Buffer.from((await readPixels(path)).samples)).toEqual(expected);
});

test("transparent borders are cut off, of any color", async () => {
  const output = await run(
    await toSample("png", await (await paintBox("#12345600")).png().toBuffer()),
  );
  expect(output.metadata).toMatchObject(trimmed);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])("EXIF orientation %i is kept", async (orientation) => {
  const image = (await paintBox()).withMetadata({ orientation });
  const sample = await toSample("png", await image.png().toBuffer());
  const output = await run(sample);
  expect(output.metadata).toMatchObject({ ...trimmed, orientation });
  const isTurned = orientation >= 5;
  expect([output.width, output.height]).toEqual(isTurned ? [30, 40] : [40, 30]);
});

test("the border has the color of the corner that is displayed at the top left", async () => {
  const stripe = { width: 20, height: 80, channels: 4, background: "#000000" } as const;
  const input = { create: stripe };
  const image = (await paintBox()).composite([{ input, left: 100, top: 0 }]);
  const stored = await image.png().toBuffer();
  // Stored at the right, displayed at the left: only the stripe is border.
  const bytes = await sharp(stored).withMetadata({ orientation: 2 }).png().toBuffer();
  const output = await run(await toSample("png", bytes));
  expect(output.metadata).toMatchObject({ width: 100, height: 80 });
});

describe("threshold", () => {
  test.each([
    [0, 120],
    [9, 120],
    [10, 40],
    [200, 40],
    [255, 120],
  ])("%i with a frame that differs by 10: width %i", async (threshold, width) => {
    const outer = { width: 120, height: 80, channels: 3, background: "#f5f5f5" } as const;
    const inner = await (await paintBox()).extract({ left: 1, top: 1, width: 118, height: 78 });
    const frame = sharp({ create: outer }).composite([
      { input: await inner.png().toBuffer(), left: 1, top: 1 },
    ]);
    const sample = await toSample("png", await frame.png().toBuffer());
    // With 0 and 9, the white area inside of the frame is content.
    const expected = threshold < 10 ? width - 2 : width;
    expect((await run(sample, { threshold })).metadata.width).toBe(expected);
  });
});

test("an image of one color stays as it is", async () => {
  const create = { width: 30, height: 20, channels: 3, background: "#808080" } as const;
  const sample = await toSample("png", await sharp({ create }).png().toBuffer());
  const output = await run(sample);
  expect(await readFile(output.path)).toEqual(await readFile(sample.path));
});

test.each([
  ["gif", (image: Sharp) => image.gif({ delay: [100, 250], loop: 3 })],
  ["webp", (image: Sharp) => image.webp({ delay: [100, 250], loop: 3, lossless: true })],
] as const)("%s: all frames are cut to what any frame shows", async (type, encode) => {
  const frames = [{}, { width: 10, height: 60 }].map(async (box) =>
    (await paintBox("#ffffff", "#c03020", box)).png().toBuffer(),
  );
  const joined = sharp(await Promise.all(frames), { join: { animated: true } });
  const output = await run(await toSample(type, await encode(joined).toBuffer()));
  const expected = { pages: 2, width: 40, pageHeight: 60, delay: [100, 250], loop: 3 };
  expect(output.metadata).toMatchObject(expected);
});

describe("damage", () => describeDamage({ operation: trim, params: {} }));

test.each([[{ threshold: -1 }], [{ threshold: 256 }], [{ threshold: "10" }], [{ color: "#fff" }]])(
  "%j is rejected",
  (params) => {
    expect(trim.params.safeParse(params).success).toBe(false);
  },
);
