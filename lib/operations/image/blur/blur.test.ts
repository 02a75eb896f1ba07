import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { blur } from "#lib/operations/image/blur/index.ts";
import {
  findChanges,
  largestStep,
  makeTestImage,
  readPixels,
  readRow,
  toSample,
} from "#tests/samples/images/images.ts";
import {
  describeImageOperation,
  describeSequences,
  fewImageRows,
  runOnImage,
} from "#tests/support/image-operation.ts";

const run = (sample: Parameters<typeof runOnImage>[1], params: Record<string, unknown>) =>
  runOnImage({ operation: blur, params }, sample);

describeImageOperation({ operation: blur, params: { sigma: 6 } });

describe("a region of each frame", () => {
  describeSequences({ operation: blur, params: { region: "20,0,50,80" } });
});

/** Makes an image that is black at the left and white at the right. */
async function makeEdge() {
  const create = { width: 200, height: 60, channels: 3, background: "#ffffff" } as const;
  const left = { ...create, width: 100, background: "#000000" } as const;
  const image = sharp({ create }).composite([{ input: { create: left }, left: 0, top: 0 }]);
  return toSample("png", await image.png().toBuffer());
}

test.each([1, 5, 20])("sigma %i: an edge has the slope of a Gaussian", async (sigma) => {
  const row = readRow(await readPixels((await run(await makeEdge(), { sigma })).path), 30);
  // The slope in the middle of an edge is 255 / (σ·√(2π)); masks end early, which makes it steeper.
  const expected = 255 / (sigma * Math.sqrt(2 * Math.PI));
  expect(largestStep(row)).toBeGreaterThan(expected * 0.8);
  expect(largestStep(row)).toBeLessThan(expected * 1.4);
});

describe("region", () => {
  test.each(fewImageRows)("%s: everything else stays", async (_, type, make) => {
    const sample = await toSample(type, await (await make()).toBuffer());
    const { path } = await run(sample, { region: "30,20,40,30", sigma: 9 });
    const was = await sharp(sample.path).metadata();
    const isExact = ["png", "tiff"].includes(type) || (type === "webp" && was.hasAlpha);
    if (!isExact) return;
    const changes = findChanges(await readPixels(sample.path), await readPixels(path));
    expect(changes).toEqual({ left: 30, top: 20, right: 69, bottom: 49 });
  });

  test("is blurred as the whole image is", async () => {
    const sample = await toSample("png", await makeTestImage().png().toBuffer());
    const whole = await readPixels((await run(sample, {})).path);
    const part = await readPixels((await run(sample, { region: ["50,40,30,30", "0,0,9,9"] })).path);
    for (const [x, y] of [
      [50, 40],
      [79, 69],
      [65, 50],
      [0, 0],
      [8, 8],
    ] as const) {
      const at = (y * 240 + x) * 3;
      for (let c = 0; c < 3; c++) {
        expect(Math.abs((part.samples[at + c] ?? 0) - (whole.samples[at + c] ?? 0))).toBeLessThan(
          2,
        );
      }
    }
  });

  test.each([2, 6, 7])("is in the displayed image: orientation %i", async (orientation) => {
    const image = makeTestImage().withMetadata({ orientation });
    const sample = await toSample("png", await image.png().toBuffer());
    const { path } = await run(sample, { region: "3,5,32,48", sigma: 9 });
    const before = await readPixels(sample.path, { upright: true });
    const after = await readPixels(path, { upright: true });
    expect(findChanges(before, after)).toEqual({ left: 3, top: 5, right: 34, bottom: 52 });
  });

  test("outside of the image is empty", async () => {
    const outside = run(await makeEdge(), { region: "0,60,10,10" });
    await expect(outside).rejects.toMatchObject({ code: "empty" });
  });
});

test.each([
  [{ sigma: 0 }],
  [{ sigma: 101 }],
  [{ region: "1,2,3" }],
  [{ region: "1,2,3,4,5" }],
  [{ region: 5 }],
  [{ radius: 1 }],
])("%j is rejected", (params) => {
  expect(blur.params.safeParse(params).success).toBe(false);
});
