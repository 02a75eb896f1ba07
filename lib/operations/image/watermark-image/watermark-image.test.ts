import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { positions } from "#lib/operations/fields/index.ts";
import { watermarkImage } from "#lib/operations/image/watermark-image/index.ts";
import {
  findChanges,
  makeTestFrames,
  makeTestImage,
  type Pixels,
  readPixels,
  toSample,
} from "#tests/samples/images/images.ts";
import { fewImageRows } from "#tests/support/image-operation.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function run(sample: Sample, watermark: Sample, params: Record<string, unknown> = {}) {
  const { outputs } = await runOperation(watermarkImage, sample, params, { watermark });
  const { path = "", width, height } = outputs[0] ?? {};
  return { path, width, height, metadata: await sharp(path, { pages: -1 }).metadata() };
}

const solid = async (color: string, width = 40, height = 20) => {
  const create = { width, height, channels: 4, background: color } as const;
  return toSample("png", await sharp({ create }).png().toBuffer());
};

const pngOf = async (options = {}) =>
  toSample("png", await makeTestImage(options).png().toBuffer());

/** The center of the changes, as the shares of width and height. */
function locate(before: Pixels, after: Pixels, tolerance = 0) {
  const area = findChanges(before, after, tolerance);
  if (!area) throw new Error("nothing has changed");
  return {
    area,
    across: (area.left + area.right + 1) / 2 / before.width,
    down: (area.top + area.bottom + 1) / 2 / before.height,
  };
}

describe("position", () => {
  test.each(positions)("%s, at the distance of the margin", async (position) => {
    const sample = await pngOf();
    const { path } = await run(sample, await solid("#ff0000"), { position });
    const { area } = locate(await readPixels(sample.path), await readPixels(path));
    // 20 % of 240 pixels, and a margin of 3 % of 180 pixels.
    const width = 48;
    const height = 24;
    const margin = 5;
    const along = (near: string, far: string, room: number) =>
      position.includes(near) ? margin : position.includes(far) ? room - margin : room / 2;
    const left = along("left", "right", 240 - width);
    const top = along("top", "bottom", 180 - height);
    expect(area).toEqual({ left, top, right: left + width - 1, bottom: top + height - 1 });
  });

  // All orientations of an overlay: watermark-text.test.ts.
  test.each([1, 6])("EXIF orientation %i: as it is displayed", async (orientation) => {
    const image = makeTestImage().withMetadata({ orientation });
    const sample = await toSample("png", await image.png().toBuffer());
    const params = { position: "top-right" };
    const { path, width, height } = await run(sample, await solid("#ff0000"), params);
    const before = await readPixels(sample.path, { upright: true });
    const after = await readPixels(path, { upright: true });
    expect([width, height]).toEqual([before.width, before.height]);
    const { across, down } = locate(before, after);
    expect([across > 0.7, down < 0.2]).toEqual([true, true]);
  });
});

describe.each(fewImageRows)("%s", (_, type, make) => {
  test("keeps format, depth, color and profile, and everything outside of the watermark", async () => {
    const sample = await toSample(type, await (await make()).toBuffer());
    const params = { position: "top-left", scale: 0.3 };
    const output = await run(sample, await solid("#808080"), params);
    const was = await sharp(sample.path).metadata();
    const facts = ["format", "space", "depth", "hasAlpha", "width", "height"] as const;
    for (const fact of facts) {
      if (type !== "gif" || fact !== "hasAlpha") {
        expect([fact, output.metadata[fact]]).toEqual([fact, was[fact]]);
      }
    }
    expect(output.metadata.icc).toEqual(was.icc);
    const before = await readPixels(sample.path);
    const after = await readPixels(output.path);
    if (before.channels !== after.channels) return;
    const isExact = ["png", "tiff"].includes(type);
    const most = was.depth === "ushort" ? 65_535 : 255;
    const { area } = locate(before, after, isExact ? 0 : most * 0.12);
    expect(area.right).toBeLessThan(isExact ? 38 : 48);
    expect(area.bottom).toBeLessThan(isExact ? 20 : 32);
  });
});

describe("the watermark", () => {
  const colorAt = ({ samples, width, channels }: Pixels, x: number, y: number) => [
    ...samples.subarray((y * width + x) * channels, (y * width + x) * channels + 3),
  ];

  test("opacity 1 is solid, and 0.5 is half of it", async () => {
    const black = await solid("#000000", 200, 100);
    const mark = await solid("#c83264");
    const center = async (opacity: number) => {
      const { path } = await run(black, mark, { opacity, position: "center" });
      return colorAt(await readPixels(path), 100, 50);
    };
    expect(await center(1)).toEqual([0xc8, 0x32, 0x64]);
    for (const [index, value] of (await center(0.5)).entries()) {
      expect(Math.abs(value - ([100, 25, 50][index] ?? 0))).toBeLessThanOrEqual(1);
    }
  });

  test("opacity 0 does not change the file", async () => {
    const sample = await pngOf();
    const { path } = await run(sample, await solid("#ff0000"), { opacity: 0 });
    expect(await readFile(path)).toEqual(await readFile(sample.path));
  });

  test.each([
    [0.5, 120, 60],
    [1, 240, 120],
    [0.01, 2, 1],
  ])("scale %d is %i × %i of 240 × 180 pixels", async (scale, width, height) => {
    const sample = await pngOf();
    const { path } = await run(sample, await solid("#00ff00"), { scale, position: "center" });
    const { area } = locate(await readPixels(sample.path), await readPixels(path));
    expect([area.right - area.left + 1, area.bottom - area.top + 1]).toEqual([width, height]);
  });

  test("is smaller if it would not fit", async () => {
    const sample = await pngOf();
    const { path } = await run(sample, await solid("#00ff00", 10, 40), { scale: 1 });
    const { area } = locate(await readPixels(sample.path), await readPixels(path));
    expect(area).toMatchObject({ top: 0, bottom: 179 });
    expect(area.right - area.left + 1).toBe(45);
  });

  test.each([30, 45, 90, -60, 200])(
    "rotated by %i degrees has its size and fits",
    async (angle) => {
      const sample = await solid("#000000", 200, 200);
      const params = { angle, position: "center", scale: 0.5 };
      const { path } = await run(sample, await solid("#ffffff"), params);
      const after = await readPixels(path);
      const { area } = locate(await readPixels(sample.path), after, 60);
      const radians = (angle * Math.PI) / 180;
      const cos = Math.abs(Math.cos(radians));
      const sin = Math.abs(Math.sin(radians));
      expect(Math.abs(area.right - area.left + 1 - (100 * cos + 50 * sin))).toBeLessThan(3);
      expect(Math.abs(area.bottom - area.top + 1 - (100 * sin + 50 * cos))).toBeLessThan(3);
      // No darker edge from transparent corners.
      const grays = [...after.samples].filter((value, index) => index % 4 === 0 && value > 0);
      expect(grays.reduce((sum, value) => sum + value, 0) / 255).toBeGreaterThan(100 * 50 * 0.98);
    },
  );

  test("rotated is never larger than the image", async () => {
    const sample = await pngOf({ width: 31, height: 17 });
    for (const angle of [7, 45, 133]) {
      const { metadata } = await run(sample, await solid("#ffffff", 300, 200), { scale: 1, angle });
      expect(metadata).toMatchObject({ width: 31, height: 17 });
    }
  });

  test("tile repeats it all over the image", async () => {
    const sample = await solid("#000000", 240, 180);
    const params = { tile: true, scale: 0.1, opacity: 1 };
    const { path } = await run(sample, await solid("#ffffff", 40, 40), params);
    const { samples, width } = await readPixels(path);
    const cell = (column: number, row: number) => {
      for (let y = row * 60; y < row * 60 + 60; y++) {
        for (let x = column * 60; x < column * 60 + 60; x++) {
          if (samples[(y * width + x) * 4] === 255) return true;
        }
      }
      return false;
    };
    const cells = [0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => cell(column, row)));
    expect(cells.every(Boolean)).toBe(true);
    const white = samples.filter((value, index) => index % 4 === 0 && value === 255).length;
    // Squares of 24 pixels every 36 pixels.
    expect(white / (240 * 180)).toBeGreaterThan(0.35);
    expect(white / (240 * 180)).toBeLessThan(0.55);
  });

  test("may be an oriented JPEG, an animation or CMYK", async () => {
    const sample = await solid("#000000", 200, 200);
    const turned = makeTestImage({ width: 40, height: 20 }).withMetadata({ orientation: 6 });
    const frames = await makeTestFrames(["#ff0000", "#00ff00"], 20, 40);
    const cmyk = makeTestImage({ width: 20, height: 40 }).withIccProfile("cmyk");
    const marks = [
      await toSample("jpeg", await turned.jpeg().toBuffer()),
      await toSample("gif", await frames.gif().toBuffer()),
      await toSample("jpeg", await cmyk.jpeg().toBuffer()),
    ];
    for (const mark of marks) {
      const { path } = await run(sample, mark, { position: "center" });
      const { area } = locate(await readPixels(sample.path), await readPixels(path));
      expect([area.right - area.left + 1, area.bottom - area.top + 1]).toEqual([40, 80]);
    }
  });

  test("that is damaged is corrupt", async () => {
    const bytes = await makeTestImage().png().toBuffer();
    const mark = await toSample("png", bytes.subarray(0, bytes.length / 2));
    await expect(run(await pngOf(), mark)).rejects.toMatchObject({ code: "corrupt" });
  });
});

test.each(["gif", "webp"] as const)("each frame of a %s gets it", async (type) => {
  const timing = { delay: [100, 250, 70], loop: 3 };
  const frames = await makeTestFrames(["#aa3333", "#33aa33", "#3333aa"]);
  const encoded = type === "gif" ? frames.gif(timing) : frames.webp({ ...timing, lossless: true });
  const sample = await toSample(type, await encoded.toBuffer());
  const { path, metadata } = await run(sample, await solid("#ffffff"), { position: "top-left" });
  expect(metadata).toMatchObject({ pages: 3, pageHeight: 80, ...timing });
  const { samples, channels } = await readPixels(path);
  for (const page of [0, 1, 2]) {
    const at = ((page * 80 + 8) * 120 + 12) * channels;
    expect([...samples.subarray(at, at + 3)]).toEqual([255, 255, 255]);
  }
});

test.each([
  [{ position: "middle" }],
  [{ opacity: 2 }],
  [{ scale: 0 }],
  [{ scale: 1.1 }],
  [{ tile: "yes" }],
  [{ angle: 361 }],
  [{ size: 1 }],
])("%j is rejected", (params) => {
  expect(watermarkImage.params.safeParse(params).success).toBe(false);
});
