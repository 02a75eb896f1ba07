import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { positions } from "#lib/operations/fields/index.ts";
import { crop } from "#lib/operations/image/crop/index.ts";
import { makeTestImage, readPixels, toSample } from "#tests/samples/images/images.ts";
import { describeImageOperation, runOnImage } from "#tests/support/image-operation.ts";

const run = (sample: Parameters<typeof runOnImage>[1], params: Record<string, unknown>) =>
  runOnImage({ operation: crop, params }, sample);

const box = { left: 7, top: 13, width: 41, height: 33 };
describeImageOperation({ operation: crop, params: box, size: { width: 41, height: 33 } });

const pngSample = async () =>
  toSample("png", await makeTestImage({ channels: 4 }).png().toBuffer());

describe("a box", () => {
  test("keeps each pixel", async () => {
    const sample = await pngSample();
    const { path } = await run(sample, box);
    const expected = await sharp(sample.path).extract(box).raw().toBuffer();
    expect(Buffer.from((await readPixels(path)).samples)).toEqual(expected);
  });

  test("is cut at the edges of the image", async () => {
    const output = await run(await pngSample(), { left: 200, top: 100, width: 900, height: 900 });
    expect([output.width, output.height]).toEqual([40, 80]);
    expect(output.metadata).toMatchObject({ width: 40, height: 80 });
  });

  test("outside of the image has no pixels", async () => {
    const cropped = run(await pngSample(), { ...box, left: 240 });
    await expect(cropped).rejects.toMatchObject({
      code: "empty",
      message: "The box is outside of the image, which is 240 × 180.",
    });
  });

  test("of the whole image keeps the file as it is", async () => {
    const jpeg = await makeTestImage().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const sample = await toSample("jpeg", jpeg);
    const output = await run(sample, { left: 0, top: 0, width: 180, height: 240 });
    expect(await readFile(output.path)).toEqual(await readFile(sample.path));
  });
});

describe("a ratio", () => {
  test.each([
    ["1:1", 180, 180],
    ["16:9", 240, 135],
    ["9:16", 101, 180],
    ["4:3", 240, 180],
    ["100:1", 240, 2],
  ])("of %s crops 240 × 180 to %i × %i", async (ratio, width, height) => {
    const output = await run(await pngSample(), { ratio });
    expect(output.metadata).toMatchObject({ width, height });
  });

  test.each(positions)("%s", async (position) => {
    const sample = await pngSample();
    for (const ratio of ["1:1", "3:1"]) {
      const output = await run(sample, { ratio, position });
      const { width, height } = output;
      const across = position.includes("left") ? 0 : position.includes("right") ? 1 : 0.5;
      const down = position.includes("top") ? 0 : position.includes("bottom") ? 1 : 0.5;
      const left = (240 - width) * across;
      const top = (180 - height) * down;
      const expected = sharp(sample.path).extract({ left, top, width, height });
      const { samples } = await readPixels(output.path);
      expect(Buffer.from(samples)).toEqual(await expected.raw().toBuffer());
    }
  });
});

describe("parameters", () => {
  test.each([
    [{}],
    [{ left: 1, top: 1, width: 5 }],
    [{ ...box, ratio: "1:1" }],
    [{ ...box, left: -1 }],
    [{ ...box, width: 0 }],
    [{ ...box, top: 0.5 }],
    [{ ratio: "1" }],
    [{ ratio: "1:1", position: "attention" }],
    [{ ...box, right: 3 }],
  ])("%j is rejected", (params) => {
    expect(crop.params.safeParse(params).success).toBe(false);
  });
});
