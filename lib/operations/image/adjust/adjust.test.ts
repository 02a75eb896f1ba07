import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { adjust } from "#lib/operations/image/adjust/index.ts";
import { makeTestImage, readPixels, toSample } from "#tests/samples/images/images.ts";
import { describeImageOperation, runOnImage } from "#tests/support/image-operation.ts";

const run = (sample: Parameters<typeof runOnImage>[1], params: Record<string, unknown>) =>
  runOnImage({ operation: adjust, params }, sample);

describeImageOperation({ operation: adjust, params: { brightness: 1.1, hue: 40, gamma: 1.2 } });

async function colorOf(color: string, params: Record<string, unknown>, bits = 8) {
  const create = { width: 8, height: 8, channels: 4, background: color } as const;
  const image = sharp({ create }).toColourspace(bits === 16 ? "rgb16" : "srgb");
  const { path } = await run(await toSample("png", await image.png().toBuffer()), params);
  const { samples } = await readPixels(path);
  return [...samples.subarray(0, 4)].map((value) => Math.round(value / (bits === 16 ? 257 : 1)));
}

/** What Chromium 156 paints for the CSS filters of the same effect. */
const colors: readonly [string, Record<string, unknown>, number[]][] = [
  ["brightness(0.5)", { brightness: 0.5 }, [100, 50, 25]],
  ["brightness(1.5)", { brightness: 1.5 }, [255, 150, 75]],
  ["contrast(0.5)", { contrast: 0.5 }, [164, 114, 89]],
  ["contrast(2)", { contrast: 2 }, [255, 73, 0]],
  ["saturate(0)", { saturation: 0 }, [118, 118, 118]],
  ["saturate(0.5)", { saturation: 0.5 }, [159, 109, 84]],
  ["hue-rotate(90deg)", { hue: 90 }, [50, 146, 35]],
  ["grayscale(1)", { grayscale: true }, [118, 118, 118]],
  ["sepia(1)", { sepia: 1 }, [165, 147, 114]],
  ["sepia(0.5)", { sepia: 0.5 }, [182, 123, 82]],
  ["invert(1)", { negate: true }, [55, 155, 205]],
];

describe.each([8, 16])("%i bits", (bits) => {
  test.each(colors)("%s of rgb(200 100 50)", async (_, params, expected) => {
    const [red, green, blue, alpha] = await colorOf("#c86432", params, bits);
    for (const [index, value] of [red, green, blue].entries()) {
      expect(Math.abs((value ?? 0) - (expected[index] ?? 0))).toBeLessThanOrEqual(1);
    }
    expect(alpha).toBe(255);
  });
});

test.each([
  [2.2, 186],
  [0.5, 64],
])("gamma %d moves the middle to %i and keeps black and white", async (gamma, middle) => {
  expect((await colorOf("#808080", { gamma }))[0]).toBeCloseTo(middle, -0.5);
  expect((await colorOf("#000000", { gamma }))[0]).toBe(0);
  expect((await colorOf("#ffffff", { gamma }))[0]).toBe(255);
});

test("alpha stays", async () => {
  expect((await colorOf("#c8643280", { negate: true, hue: 10 }))[3]).toBe(128);
});

describe("normalize", () => {
  /** Brightness from `low` to `high`, from left to right. */
  const ramp = async (low: number, high: number) => {
    const samples = Uint8Array.from({ length: 200 * 3 }, (_, index) =>
      Math.round(low + ((high - low) * Math.floor(index / 3)) / 199),
    );
    const image = sharp(samples, { raw: { width: 200, height: 1, channels: 3 } });
    return image.png().toBuffer();
  };

  test("stretches the brightness to the whole range", async () => {
    const { path } = await run(await toSample("png", await ramp(90, 160)), { normalize: true });
    const { samples } = await readPixels(path);
    expect([samples[0], samples.at(-1)]).toEqual([0, 255]);
    expect(Math.abs((samples[300] ?? 0) - 128)).toBeLessThan(4);
  });

  test("stretches all frames alike", async () => {
    const frames = [await ramp(90, 120), await ramp(130, 160)];
    const joined = sharp(frames, { join: { animated: true } });
    const sample = await toSample("webp", await joined.webp({ lossless: true }).toBuffer());
    const { samples, channels } = await readPixels((await run(sample, { normalize: true })).path);
    const half = 200 * channels;
    expect(samples[0]).toBe(0);
    expect(Math.abs((samples[half - channels] ?? 0) - 109)).toBeLessThan(4);
    expect(samples.at(-channels)).toBe(255);
  });

  test("leaves an image of one color as it is", async () => {
    expect(await colorOf("#406080", { normalize: true })).toEqual([0x40, 0x60, 0x80, 255]);
  });
});

test("a tint colors a gray image", async () => {
  const sample = await toSample("png", await makeTestImage({ channels: 1 }).png().toBuffer());
  const { metadata } = await run(sample, { sepia: 1 });
  expect(metadata).toMatchObject({ space: "srgb", channels: 3 });
});

test("without a change the file stays as it is", async () => {
  const sample = await toSample("jpeg", await makeTestImage().jpeg().toBuffer());
  const { path } = await run(sample, { hue: 360 });
  expect(await readFile(path)).toEqual(await readFile(sample.path));
});

test.each([
  [{ brightness: -1 }],
  [{ contrast: 11 }],
  [{ saturation: "1" }],
  [{ hue: 361 }],
  [{ gamma: 0 }],
  [{ grayscale: 1 }],
  [{ sepia: 2 }],
  [{ negate: "true" }],
  [{ exposure: 1 }],
])("%j is rejected", (params) => {
  expect(adjust.params.safeParse(params).success).toBe(false);
});
