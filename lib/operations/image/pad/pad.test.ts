import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { positions } from "#lib/operations/fields/index.ts";
import { pad } from "#lib/operations/image/pad/index.ts";
import { makeTestImage, type Pixels, readPixels, toSample } from "#tests/samples/images/images.ts";
import {
  describeDamage,
  describeImageOperation,
  describeOrientations,
  describeSequences,
  runOnImage,
} from "#tests/support/image-operation.ts";
import { runOperation } from "#tests/support/operation.ts";

const run = (sample: Parameters<typeof runOnImage>[1], params: Record<string, unknown>) =>
  runOnImage({ operation: pad, params }, sample);

const borders = { top: 5, right: 10, bottom: 15, left: 20 };
const size = { width: 150, height: 100 };

describe("transparent", () => {
  describeImageOperation({ operation: pad, params: borders, size, addsAlpha: true });
});

describe("of a color", () => {
  const params = { ...borders, color: "#3080f0" };
  describeOrientations({ operation: pad, params, size });
  describeDamage({ operation: pad, params });
});

describe("blurred", () => {
  describeSequences({ operation: pad, params: { ...borders, blur: true }, size });
});

/** The channels of a pixel. */
function pixelAt({ samples, width, channels }: Pixels, x: number, y: number): number[] {
  return [...samples.subarray((y * width + x) * channels, (y * width + x + 1) * channels)];
}

const pngSample = async (options = {}) =>
  toSample("png", await makeTestImage(options).png().toBuffer());

test.each([8, 16] as const)("%i bits: the image is in its place, unchanged", async (bits) => {
  const sample = await pngSample({ bits });
  const { path } = await run(sample, { ...borders, color: "#3080f0" });
  const before = await readPixels(sample.path);
  const after = await readPixels(path);
  const scale = bits === 16 ? 257 : 1;
  const blue = [0x30, 0x80, 0xf0].map((value) => value * scale);
  for (let y = 0; y < after.height; y++) {
    for (let x = 0; x < after.width; x++) {
      const isInside = x >= 20 && x < 260 && y >= 5 && y < 185;
      const expected = isInside ? pixelAt(before, x - 20, y - 5) : blue;
      if (`${pixelAt(after, x, y)}` !== `${expected}`) {
        expect([x, y, ...pixelAt(after, x, y)]).toEqual([x, y, ...expected]);
      }
    }
  }
});

describe("a ratio", () => {
  test.each([
    ["1:1", 240, 240],
    ["16:9", 320, 180],
    ["9:16", 240, 427],
  ])("%s extends 240 × 180 to %i × %i", async (ratio, width, height) => {
    const output = await run(await pngSample(), { ratio });
    expect(output.metadata).toMatchObject({ width, height });
    expect([output.width, output.height]).toEqual([width, height]);
  });

  test.each(positions)("%s: the image is there", async (position) => {
    const sample = await pngSample({ channels: 3 });
    for (const ratio of ["2:1", "1:2"]) {
      const { path, width, height } = await run(sample, { ratio, position });
      const across = position.includes("left") ? 0 : position.includes("right") ? 1 : 0.5;
      const down = position.includes("top") ? 0 : position.includes("bottom") ? 1 : 0.5;
      const box = { left: (width - 240) * across, top: (height - 180) * down };
      const pixels = await readPixels(path);
      const kept = await sharp(path)
        .extract({ ...box, width: 240, height: 180 })
        .removeAlpha();
      const before = Buffer.from((await readPixels(sample.path)).samples);
      expect(await kept.raw().toBuffer()).toEqual(before);
      const alphas = pixels.samples.filter((_, index) => index % 4 === 3);
      expect(alphas.filter((value) => value === 255).length).toBe(240 * 180);
    }
  });

  test("that the image has already keeps the file as it is", async () => {
    const sample = await toSample("jpeg", await makeTestImage().jpeg().toBuffer());
    const { path } = await run(sample, { ratio: "4:3", color: "#000000" });
    expect(await readFile(path)).toEqual(await readFile(sample.path));
  });
});

test.each([
  [1, 8],
  [2, 8],
  [1, 16],
] as const)(
  "a gray image of %i channels and %i bits becomes RGB for a border in color",
  async (channels, bits) => {
    const image = makeTestImage({ channels, bits });
    const sample = await toSample("png", await image.png().toBuffer());
    const colored = await run(sample, { left: 20, color: "#3080f0" });
    expect(colored.metadata.space).toBe(bits === 16 ? "rgb16" : "srgb");
    const pixels = await readPixels(colored.path);
    const scale = bits === 16 ? 257 : 1;
    expect(pixelAt(pixels, 5, 5).slice(0, 3)).toEqual([0x30, 0x80, 0xf0].map((v) => v * scale));
    expect(pixelAt(pixels, 30, 10)).toEqual(pixelAt(await readPixels(sample.path), 10, 10));
    const gray = await run(sample, { left: 20, color: "#808080" });
    expect(gray.metadata.space).toBe(bits === 16 ? "grey16" : "b-w");
  },
);

test("a JPEG gets a white border", async () => {
  const sample = await toSample("jpeg", await makeTestImage().jpeg().toBuffer());
  const pixels = await readPixels((await run(sample, { top: 32 })).path);
  expect(pixelAt(pixels, 100, 8)).toEqual([255, 255, 255]);
});

test("a CMYK JPEG keeps its inks and gets a border without ink", async () => {
  const bytes = await makeTestImage().withIccProfile("cmyk").jpeg({ quality: 100 }).toBuffer();
  const sample = await toSample("jpeg", bytes);
  const before = await readPixels(sample.path);
  const after = await readPixels((await run(sample, { left: 32 })).path);
  expect(Math.max(...pixelAt(after, 8, 90))).toBeLessThan(12);
  for (const [index, value] of pixelAt(after, 132, 90).entries()) {
    expect(Math.abs(value - (pixelAt(before, 100, 90)[index] ?? 0))).toBeLessThan(16);
  }
});

test("the blurred border has the colors of the image", async () => {
  const create = { width: 200, height: 100, channels: 3, background: "#2040c0" } as const;
  const half = { ...create, width: 100, background: "#c04020" } as const;
  const image = sharp({ create }).composite([{ input: { create: half }, left: 0, top: 0 }]);
  const sample = await toSample("png", await image.png().toBuffer());
  const pixels = await readPixels((await run(sample, { ratio: "1:1", blur: true })).path);
  const left = pixelAt(pixels, 2, 4);
  const right = pixelAt(pixels, 197, 4);
  expect((left[0] ?? 0) - (left[2] ?? 0)).toBeGreaterThan(100);
  expect((right[2] ?? 0) - (right[0] ?? 0)).toBeGreaterThan(100);
  // No hard edge in the middle, as in the image itself.
  const middle = [98, 99, 100, 101].map((x) => pixelAt(pixels, x, 4)[0] ?? 0);
  expect(Math.abs((middle[0] ?? 0) - (middle[3] ?? 0))).toBeLessThan(40);
});

test("a canvas of too many pixels is too complex", async () => {
  const limits = { imagePixels: 100_000 };
  const padded = runOperation(pad, await pngSample(), { top: 300 }, {}, undefined, limits);
  await expect(padded).rejects.toMatchObject({ code: "too_complex" });
});

test.each([
  [{}],
  [{ color: "#ffffff" }],
  [{ top: 1, ratio: "1:1" }],
  [{ top: -1 }],
  [{ left: 0.5 }],
  [{ ratio: "wide" }],
  [{ top: 1, color: "red" }],
  [{ top: 1, blur: "yes" }],
  [{ top: 1, size: 1 }],
])("%j is rejected", (params) => {
  expect(pad.params.safeParse(params).success).toBe(false);
});
