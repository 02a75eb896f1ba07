import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { frames } from "#lib/operations/image/frames/index.ts";
import { makeGrayProfile } from "#tests/samples/images/gray-profile.ts";
import {
  makeTestFrames,
  makeTestImage,
  readPixels,
  toSample,
} from "#tests/samples/images/images.ts";
import { describeDamage, describeOrientations, imageRows } from "#tests/support/image-operation.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const run = (sample: Sample, params: Record<string, unknown> = {}) =>
  runOperation(frames, sample, params);

const colors = ["#aa3333", "#33aa33", "#3333aa"];

/** The color of the right half of each output. */
async function colorsOf(paths: readonly string[]): Promise<number[][]> {
  return Promise.all(
    paths.map(async (path) => {
      const box = { left: 90, top: 40, width: 1, height: 1 };
      const pixel = await sharp(path)
        .toColourspace("srgb")
        .removeAlpha()
        .extract(box)
        .raw()
        .toBuffer();
      return [...pixel];
    }),
  );
}

const sequences = [
  ["gif", (image: Sharp) => image.gif({ delay: [100, 250, 70], dither: 0 })],
  ["webp", (image: Sharp) => image.webp({ delay: [100, 250, 70], lossless: true })],
  ["tiff", (image: Sharp) => image.tiff({ compression: "lzw" })],
] as const;

describe.each(sequences)("%s", (type, encode) => {
  test.each(["png", "jpeg", "webp", "avif"])("to %s: every frame, in order", async (format) => {
    const sample = await toSample(type, await encode(await makeTestFrames(colors)).toBuffer());
    const { outputs, result } = await run(sample, { format });
    expect(outputs.map(({ suffix }) => suffix)).toEqual(["-1", "-2", "-3"]);
    for (const { path, width, height } of outputs) {
      expect([width, height]).toEqual([120, 80]);
      const metadata = await sharp(path).metadata();
      expect(metadata).toMatchObject({ width: 120, height: 80 });
      expect(metadata.format).toBe(format === "avif" ? "heif" : format);
      expect(metadata.pages ?? 1).toBe(1);
    }
    const delays = type === "tiff" ? {} : { delays: [100, 250, 70] };
    expect(result).toEqual({ frames: 3, ...delays });
    const expected = [
      [0xaa, 0x33, 0x33],
      [0x33, 0xaa, 0x33],
      [0x33, 0x33, 0xaa],
    ];
    for (const [page, color] of (await colorsOf(outputs.map(({ path }) => path))).entries()) {
      for (const [index, value] of color.entries()) {
        expect(Math.abs(value - (expected[page]?.[index] ?? 0))).toBeLessThan(12);
      }
    }
  });
});

test.each(imageRows)("%s: depth, alpha and profile stay in PNG", async (_, type, make) => {
  const sample = await toSample(type, await (await make()).toBuffer());
  const { outputs } = await run(sample);
  expect(outputs).toHaveLength(1);
  expect(outputs[0]?.suffix).toBeUndefined();
  const was = await sharp(sample.path).metadata();
  const is = await sharp(outputs[0]?.path).metadata();
  expect([is.depth, is.hasAlpha]).toEqual([was.depth, was.hasAlpha]);
  if (was.space !== "cmyk") expect(is.icc).toEqual(was.icc);
});

test("pages of 16 bits keep them, exactly", async () => {
  const page = await makeTestImage({ bits: 16 }).png().toBuffer();
  const other = await sharp(page).flip().toColourspace("rgb16").png().toBuffer();
  const bytes = await sharp([page, other], { join: { animated: true } })
    .toColourspace("rgb16")
    .tiff({ compression: "lzw" })
    .toBuffer();
  const { outputs } = await run(await toSample("tiff", bytes));
  for (const [index, source] of [page, other].entries()) {
    const sample = await toSample("png", source);
    const was = await readPixels(sample.path);
    const is = await readPixels(outputs[index]?.path ?? "");
    expect(is.samples).toEqual(was.samples);
  }
});

test.each(["png", "jpeg", "webp", "avif"])(
  "a gray image with a profile has its brightness as %s",
  async (format) => {
    const { path: profile } = await toSample("unknown", makeGrayProfile());
    const gray = sharp({ create: { width: 120, height: 80, channels: 3, background: "#646464" } });
    const bytes = await gray.toColourspace("b-w").withIccProfile(profile).png().toBuffer();
    const { outputs } = await run(await toSample("png", bytes), { format });
    const shown = outputs.map(async ({ path }) => {
      const pixels = await sharp(path)
        .withIccProfile("srgb")
        .toColourspace("srgb")
        .raw()
        .toBuffer();
      return pixels[0] ?? 0;
    });
    // Linear brightness of 0.127 is 100 in sRGB.
    for (const value of await Promise.all(shown)) expect(Math.abs(value - 100)).toBeLessThan(5);
  },
);

test("ten and more frames have numbers of the same length", async () => {
  const many = Array.from({ length: 11 }, (_, index) => colors[index % 3] ?? "");
  const bytes = await (await makeTestFrames(many, 24, 16)).webp({ lossless: true }).toBuffer();
  const { outputs } = await run(await toSample("webp", bytes));
  expect(outputs.map(({ suffix }) => suffix).slice(8)).toEqual(["-09", "-10", "-11"]);
});

test("transparent parts are white in JPEG", async () => {
  const create = { width: 120, height: 80, channels: 4, background: "#00000000" } as const;
  const sample = await toSample("png", await sharp({ create }).png().toBuffer());
  const { outputs } = await run(sample, { format: "jpeg" });
  expect(await colorsOf(outputs.map(({ path }) => path))).toEqual([[255, 255, 255]]);
});

describe("orientations", () => describeOrientations({ operation: frames, params: {} }));
describe("damage", () => describeDamage({ operation: frames, params: {} }));

test("more frames than the limit are too complex", async () => {
  const sample = await toSample("gif", await (await makeTestFrames(colors)).gif().toBuffer());
  const limited = runOperation(frames, sample, {}, {}, undefined, { imageFrames: 2 });
  await expect(limited).rejects.toMatchObject({ code: "too_complex" });
});

test.each([[{ format: "gif" }], [{ format: 1 }], [{ every: 2 }]])("%j is rejected", (params) => {
  expect(frames.params.safeParse(params).success).toBe(false);
});
