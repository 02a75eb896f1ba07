import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { sharpen } from "#lib/operations/image/sharpen/index.ts";
import {
  findChanges,
  largestStep,
  readPixels,
  readRow,
  toSample,
} from "#tests/samples/images/images.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const width = 160;
const height = 90;

/** A soft edge from dark to bright in the middle of each row. */
function paintEdge(channels: 1 | 2 | 3 | 4 = 3, bits: 8 | 16 = 8): Sharp {
  const scale = bits === 16 ? 257 : 1;
  const values = width * height * channels;
  const samples = bits === 16 ? new Uint16Array(values) : new Uint8Array(values);
  for (let index = 0; index < values; index++) {
    const x = Math.floor(index / channels) % width;
    const isAlpha = channels % 2 === 0 && index % channels === channels - 1;
    const bright = 60 + 130 / (1 + Math.exp(-(x - width / 2) / 2));
    samples[index] = Math.round((isAlpha ? 180 : bright) * scale);
  }
  const space = channels < 3 ? (bits === 16 ? "grey16" : "b-w") : bits === 16 ? "rgb16" : "srgb";
  // sharp's types have only bytes. It detects the depth of raw pixels by the type of the array.
  return sharp(samples as Uint8Array, { raw: { width, height, channels } }).toColourspace(space);
}

/** The largest step of brightness in a row of the displayed image. */
async function edgeOf(path: string): Promise<number> {
  const { data, info } = await sharp(path)
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return largestStep(readRow({ samples: data, ...info }, 40));
}

async function sharpenSample(sample: Sample, sigma = 3): Promise<string> {
  const { outputs } = await runOperation(sharpen, sample, { sigma });
  expect(outputs[0]).toMatchObject({ width, height });
  return outputs[0]?.path ?? "";
}

const rows: readonly [string, MediaTypeId, () => Sharp][] = [
  ["JPEG", "jpeg", () => paintEdge().jpeg()],
  [
    "4:4:4 progressive JPEG",
    "jpeg",
    () => paintEdge().jpeg({ chromaSubsampling: "4:4:4", progressive: true }),
  ],
  ["gray JPEG", "jpeg", () => paintEdge(1).jpeg()],
  ["CMYK JPEG", "jpeg", () => paintEdge().withIccProfile("cmyk").jpeg()],
  ["CMYK JPEG without a profile", "jpeg", () => paintEdge().toColourspace("cmyk").jpeg()],
  ["PNG", "png", () => paintEdge().png()],
  ["PNG with alpha", "png", () => paintEdge(4).png()],
  ["gray PNG with alpha", "png", () => paintEdge(2).png()],
  ["16-bit PNG", "png", () => paintEdge(3, 16).png()],
  ["16-bit PNG with alpha", "png", () => paintEdge(4, 16).png()],
  ["16-bit gray PNG", "png", () => paintEdge(1, 16).png()],
  ["wide-gamut PNG", "png", () => paintEdge().withIccProfile("p3").png()],
  ["WebP", "webp", () => paintEdge().webp()],
  ["lossless WebP with alpha", "webp", () => paintEdge(4).webp({ lossless: true })],
  ["AVIF", "avif", () => paintEdge().avif({ effort: 2 })],
  ["10-bit AVIF", "avif", () => paintEdge(3, 16).avif({ effort: 2, bitdepth: 10 })],
  ["TIFF", "tiff", () => paintEdge().tiff({ compression: "lzw" })],
  ["16-bit TIFF", "tiff", () => paintEdge(3, 16).tiff({ compression: "lzw" })],
  ["GIF", "gif", () => paintEdge().gif()],
];

describe.each(rows)("%s", (_, type, paint) => {
  test("the edge is steeper; format, size, depth, space and profile are kept", async () => {
    const sample = await toSample(type, await paint().toBuffer());
    const output = await sharpenSample(sample);
    const was = await sharp(sample.path).metadata();
    const is = await sharp(output).metadata();
    const facts = [
      "format",
      "width",
      "height",
      "space",
      "depth",
      "channels",
      "hasAlpha",
      "chromaSubsampling",
      "isProgressive",
    ] as const;
    for (const fact of facts) expect([fact, is[fact]]).toEqual([fact, was[fact]]);
    expect(is.icc).toEqual(was.icc);
    const before = await readPixels(sample.path);
    const after = await readPixels(output);
    expect(await edgeOf(output)).toBeGreaterThan((await edgeOf(sample.path)) * 1.1);
    if (was.hasAlpha && type !== "gif") {
      const alpha = (pixels: typeof after) =>
        pixels.samples.filter((_, i) => i % pixels.channels === pixels.channels - 1);
      expect(alpha(after)).toEqual(alpha(before));
    }
  });
});

test("all of 16 bits are used", async () => {
  const sample = await toSample("png", await paintEdge(3, 16).png().toBuffer());
  const { samples } = await readPixels(await sharpenSample(sample, 1));
  // 8 bits spread over 16 would be multiples of 257.
  expect([...samples].some((value) => value % 257 !== 0)).toBe(true);
});

test.each([1, 3, 6, 8])("orientation %i is kept", async (orientation) => {
  const sample = await toSample(
    "jpeg",
    await paintEdge().withMetadata({ orientation }).jpeg().toBuffer(),
  );
  const { outputs } = await runOperation(sharpen, sample, {});
  const output = outputs[0]?.path ?? "";
  const before = await readPixels(sample.path, { upright: true });
  const after = await readPixels(output, { upright: true });
  expect([after.width, after.height]).toEqual([before.width, before.height]);
  expect(outputs[0]).toMatchObject({ width: before.width, height: before.height });
});

describe("animations", () => {
  const animated = { delay: [100, 0, 70], loop: 2 };

  async function paintAnimation(): Promise<Sharp> {
    const frames = [40, 120, 220].map((red) => {
      const background = { r: red, g: 128, b: 255 - red, alpha: 1 };
      return sharp({ create: { width, height, channels: 4, background } })
        .png()
        .toBuffer();
    });
    return sharp(await Promise.all(frames), { join: { animated: true } });
  }

  test.each([
    ["gif", (image: Sharp) => image.gif(animated), animated.delay],
    // libvips writes a WebP frame without a delay with the 0.1 s for which browsers show it.
    ["webp", (image: Sharp) => image.webp({ ...animated, lossless: true }), [100, 100, 70]],
  ] as const)(
    "%s: frames, delays and loop count are kept, and no frame changes the next one",
    async (type, encode, delay) => {
      const sample = await toSample(type, await encode(await paintAnimation()).toBuffer());
      const output = await sharpenSample(sample, 10);
      expect(await sharp(output, { pages: -1 }).metadata()).toMatchObject({
        format: type,
        pages: 3,
        pageHeight: height,
        loop: animated.loop,
        delay,
      });
      const before = await readPixels(sample.path);
      const after = await readPixels(output);
      expect(findChanges(before, after, 2)).toBeUndefined();
    },
  );
});

test.each([8, 16] as const)("every page of a TIFF of %i bits is sharpened", async (bits) => {
  const page = () => paintEdge(3, bits).png().toBuffer();
  const bytes = await sharp(await Promise.all([page(), page()]), { join: { animated: true } })
    .toColourspace(bits === 16 ? "rgb16" : "srgb")
    .tiff({ compression: "lzw" })
    .toBuffer();
  const sample = await toSample("tiff", bytes);
  const output = await sharpenSample(sample);
  expect(await sharp(output, { pages: -1 }).metadata()).toMatchObject({
    pages: 2,
    pageHeight: height,
    depth: bits === 16 ? "ushort" : "uchar",
  });
  const before = await readPixels(sample.path);
  const after = await readPixels(output);
  for (const row of [40, height + 40]) {
    expect(largestStep(readRow(after, row))).toBeGreaterThan(
      largestStep(readRow(before, row)) * 1.1,
    );
    // The mask changes edges only: away from them the brightness stays.
    expect(Math.abs((readRow(after, row)[2] ?? 0) - (readRow(before, row)[2] ?? 0))).toBeLessThan(
      3,
    );
  }
});
