import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { pixelate } from "#lib/operations/image/pixelate/index.ts";
import { findChanges, makeTestImage, readPixels, toSample } from "#tests/samples/images/images.ts";
import {
  describeImageOperation,
  describeOrientations,
  imageRows,
  runOnImage,
} from "#tests/support/image-operation.ts";

const run = (sample: Parameters<typeof runOnImage>[1], params: Record<string, unknown>) =>
  runOnImage({ operation: pixelate, params }, sample);

describeImageOperation({ operation: pixelate, params: {} });

describe("squares are counted from the displayed corner", () => {
  describeOrientations({ operation: pixelate, params: {} }, [2, 3, 4, 5, 7, 8]);
});

test.each([8, 16] as const)("%i bits: each square has the average color", async (bits) => {
  const sample = await toSample("png", await makeTestImage({ bits }).png().toBuffer());
  const before = await readPixels(sample.path);
  const after = await readPixels((await run(sample, { size: 50 })).path);
  for (const [left, top, width, height] of [
    [0, 0, 50, 50],
    [100, 50, 50, 50],
    [200, 150, 40, 30],
  ] as const) {
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0;
      const values = new Set<number | undefined>();
      for (let y = top; y < top + height; y++) {
        for (let x = left; x < left + width; x++) {
          sum += before.samples[(y * 240 + x) * 3 + channel] ?? 0;
          values.add(after.samples[(y * 240 + x) * 3 + channel]);
        }
      }
      expect([...values]).toEqual([Math.round(sum / (width * height))]);
    }
  }
});

describe("region", () => {
  test.each(imageRows)("%s: everything else stays", async (_, type, make) => {
    const sample = await toSample(type, await (await make()).toBuffer());
    const { path, metadata } = await run(sample, { region: "30,20,40,30", size: 10 });
    const was = await sharp(sample.path).metadata();
    for (const fact of ["space", "depth", "hasAlpha"] as const) {
      if (type !== "gif") expect([fact, metadata[fact]]).toEqual([fact, was[fact]]);
    }
    const before = await readPixels(sample.path);
    const after = await readPixels(path);
    if (before.channels !== after.channels) return;
    const isExact = ["png", "tiff"].includes(type) || (type === "webp" && was.hasAlpha);
    const most = was.depth === "ushort" ? 65_535 : 255;
    const changes = findChanges(before, after, isExact ? 0 : most * 0.11);
    if (isExact) expect(changes).toEqual({ left: 30, top: 20, right: 69, bottom: 49 });
    else expect(changes?.left ?? 30).toBeGreaterThanOrEqual(22);
  });

  test("several regions", async () => {
    const sample = await toSample("png", await makeTestImage().png().toBuffer());
    const region = ["10,10,20,20", "200,150,900,900"];
    const before = await readPixels(sample.path);
    const after = await readPixels((await run(sample, { region })).path);
    const changed = (x: number, y: number) =>
      [0, 1, 2].some((c) => {
        const at = (y * 240 + x) * 3 + c;
        return before.samples[at] !== after.samples[at];
      });
    const inside = (x: number, y: number) =>
      (x >= 10 && x < 30 && y >= 10 && y < 30) || (x >= 200 && y >= 150);
    let count = 0;
    for (let y = 0; y < 180; y++) {
      for (let x = 0; x < 240; x++) {
        if (!inside(x, y)) expect(changed(x, y)).toBe(false);
        else if (changed(x, y)) count++;
      }
    }
    expect(count).toBeGreaterThan(1000);
  });

  test("is in the displayed image", async () => {
    const image = makeTestImage().withMetadata({ orientation: 6 });
    const sample = await toSample("png", await image.png().toBuffer());
    const { path } = await run(sample, { region: "0,0,32,48" });
    const before = await readPixels(sample.path, { upright: true });
    const after = await readPixels(path, { upright: true });
    expect(findChanges(before, after)).toEqual({ left: 0, top: 0, right: 31, bottom: 47 });
  });

  test("outside of the image is empty", async () => {
    const sample = await toSample("png", await makeTestImage().png().toBuffer());
    const outside = run(sample, { region: ["0,0,10,10", "240,0,10,10"] });
    await expect(outside).rejects.toMatchObject({ code: "empty" });
  });
});

test("transparent pixels give no color", async () => {
  const clear = { width: 32, height: 32, channels: 4, background: "#00ff0000" } as const;
  const half = { width: 8, height: 32, channels: 4, background: "#ff0000" } as const;
  const image = sharp({ create: clear }).composite([{ input: { create: half }, left: 0, top: 0 }]);
  const { path } = await run(await toSample("png", await image.png().toBuffer()), { size: 16 });
  expect([...(await readPixels(path)).samples.subarray(0, 4)]).toEqual([255, 0, 0, 128]);
});

test.each([
  [{ size: 1 }],
  [{ size: 2.5 }],
  [{ size: 1001 }],
  [{ region: "1,2,3" }],
  [{ region: "1,2,0,4" }],
  [{ region: "-1,2,3,4" }],
  [{ region: [] }],
  [{ region: ["1,2,3,4", "x"] }],
  [{ regions: "1,2,3,4" }],
])("%j is rejected", (params) => {
  expect(pixelate.params.safeParse(params).success).toBe(false);
});
