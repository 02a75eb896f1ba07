import { readFile } from "node:fs/promises";
import { decode, isBlurhashValid } from "blurhash";
import sharp from "sharp";
import {
  thumbHashToApproximateAspectRatio,
  thumbHashToAverageRGBA,
  thumbHashToRGBA,
} from "thumbhash";
import { describe, expect, test } from "vitest";
import { placeholder } from "#lib/operations/image/placeholder/index.ts";
import { makeTestFrames, makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

interface Placeholder {
  width: number;
  height: number;
  data_uri: string;
  dominant_color: string | null;
  thumbhash: string;
  blurhash: string;
}

async function run(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(placeholder, sample, params);
  expect(JSON.parse(await readFile(outputs[0]?.path ?? "", "utf8"))).toEqual(result);
  const found = result as unknown as Placeholder;
  const [, base64 = ""] = /^data:image\/webp;base64,(.+)$/.exec(found.data_uri) ?? [];
  return {
    ...found,
    image: Buffer.from(base64, "base64"),
    hash: Buffer.from(found.thumbhash, "base64"),
  };
}

/** Makes an image with the left half of one color and the right half of another. */
const makeHalves = (left: string, right: string, width = 200, height = 100) => {
  const create = { width: width / 2, height, channels: 4, background: right } as const;
  const image = sharp({ create: { ...create, width, background: left } });
  return image.composite([{ input: { create }, left: width / 2, top: 0 }]);
};

/** Average red, green and blue of a raw RGBA image between two shares of its width. */
function average(data: ArrayLike<number>, width: number, height: number, from: number, to: number) {
  const sums = [0, 0, 0];
  let count = 0;
  for (let y = 0; y < height; y++) {
    for (let x = Math.ceil(from * width); x < to * width; x++, count++) {
      for (const channel of sums.keys()) {
        sums[channel] = (sums[channel] ?? 0) + (data[(y * width + x) * 4 + channel] ?? 0);
      }
    }
  }
  return sums.map((sum) => sum / count);
}

function expectNear(actual: readonly number[], expected: readonly number[], tolerance: number) {
  for (const [index, value] of expected.entries()) {
    expect(Math.abs((actual[index] ?? 0) - value)).toBeLessThan(tolerance);
  }
}

test("the tiny image, both hashes and the color show the image", async () => {
  const image = makeHalves("#c02020", "#2040c0");
  const found = await run(await toSample("png", await image.png().toBuffer()));
  expect(found).toMatchObject({ width: 200, height: 100 });
  expect(["#c02020", "#2040c0"]).toContain(found.dominant_color);
  const tiny = sharp(found.image).ensureAlpha().raw();
  const { data, info } = await tiny.toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([32, 16]);
  expect(found.data_uri.length).toBeLessThan(1000);
  const { w, h, rgba } = thumbHashToRGBA(found.hash);
  expect(isBlurhashValid(found.blurhash).result).toBe(true);
  for (const [pixels, width, height] of [
    [data, 32, 16],
    [rgba, w, h],
    [decode(found.blurhash, 32, 16), 32, 16],
  ] as const) {
    expectNear(average(pixels, width, height, 0, 0.3), [0xc0, 0x20, 0x20], 64);
    expectNear(average(pixels, width, height, 0.7, 1), [0x20, 0x40, 0xc0], 64);
  }
});

test("transparency is in the tiny image and in the ThumbHash", async () => {
  const image = makeHalves("#c0202000", "#2040c0");
  const found = await run(await toSample("png", await image.png().toBuffer()));
  expect(found.dominant_color).toBe("#2040c0");
  const { channels } = await sharp(found.image).stats();
  expect([channels.length, channels[3]?.min, channels[3]?.max]).toEqual([4, 0, 255]);
  expect(thumbHashToAverageRGBA(found.hash).a).toBeCloseTo(0.5, 1);
  expectNear(average(decode(found.blurhash, 32, 16), 32, 16, 0, 0.3), [255, 255, 255], 40);
  const clear = await run(
    await toSample("png", await makeHalves("#fff0", "#0000").png().toBuffer()),
  );
  expect(clear.dominant_color).toBeNull();
});

describe("size", () => {
  test("width, and the aspect ratio", async () => {
    const sample = await toSample(
      "jpeg",
      await makeTestImage({ width: 90, height: 180 }).jpeg().toBuffer(),
    );
    const found = await run(sample, { width: 8 });
    expect(await sharp(found.image).metadata()).toMatchObject({ width: 8, height: 16 });
    expect(thumbHashToApproximateAspectRatio(found.hash)).toBeLessThan(0.8);
    const strip = await toSample(
      "png",
      await makeTestImage({ width: 1, height: 6000 }).png().toBuffer(),
    );
    expect((await sharp((await run(strip)).image).metadata()).height).toBe(512);
  });

  test("EXIF orientation", async () => {
    const halves = makeHalves("#c02020", "#2040c0").removeAlpha();
    const turned = await halves.withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const found = await run(await toSample("jpeg", turned));
    expect(found).toMatchObject({ width: 100, height: 200 });
    const { data, info } = await sharp(found.image).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([32, 64]);
    // The left half is on top.
    expectNear([...data.subarray(0, 3)], [0xc0, 0x20, 0x20], 40);
    expect((await sharp(found.image).metadata()).exif).toBeUndefined();
  });
});

test("gray, 16 bits, CMYK and animations", async () => {
  const frames = await makeTestFrames(["#aa3333", "#33aa33"]);
  for (const [type, bytes] of [
    ["png", await makeTestImage({ channels: 1 }).png().toBuffer()],
    ["png", await makeTestImage({ channels: 2, bits: 16 }).png().toBuffer()],
    ["jpeg", await makeTestImage().toColourspace("cmyk").jpeg().toBuffer()],
    ["gif", await frames.gif().toBuffer()],
  ] as const) {
    const found = await run(await toSample(type, bytes));
    expect(await sharp(found.image).metadata()).toMatchObject({ width: 32, space: "srgb" });
    expect(isBlurhashValid(found.blurhash).result).toBe(true);
  }
});

test("a damaged file, and widths that are rejected", async () => {
  const bytes = await makeTestImage().jpeg().toBuffer();
  const sample = await toSample("jpeg", bytes.subarray(0, bytes.length / 2));
  await expect(runOperation(placeholder, sample)).rejects.toMatchObject({ code: "corrupt" });
  for (const width of [0, 3, 129, 8.5]) {
    expect(placeholder.params.safeParse({ width }).success).toBe(false);
  }
});
