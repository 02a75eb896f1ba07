import { readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { rotate } from "#lib/operations/image/rotate/index.ts";
import { makeTestImage, type Pixels, readPixels, toSample } from "#tests/samples/images/images.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

interface Params {
  readonly angle: number;
  readonly background?: string;
}

async function run(sample: Sample, params: Params) {
  const { outputs } = await runOperation(rotate, sample, { ...params });
  const [output] = outputs;
  if (!output) throw new Error("no output");
  const { path, width = 0, height = 0 } = output;
  return { path, width, height, metadata: await sharp(path, { pages: -1 }).metadata() };
}

const pngOf = async (image: Sharp) => toSample("png", await image.png().toBuffer());

/** The channels of a pixel. */
function pixelAt({ samples, width, channels }: Pixels, x: number, y: number): number[] {
  const start = (y * width + x) * channels;
  return [...samples.subarray(start, start + channels)];
}

const solid = (color: string, channels: 3 | 4 = 3, width = 60, height = 40) =>
  sharp({ create: { width, height, channels, background: color } });

describe("right angles", () => {
  const rows: readonly [string, MediaTypeId, () => Sharp][] = [
    ["JPEG", "jpeg", () => makeTestImage().jpeg({ quality: 100, chromaSubsampling: "4:4:4" })],
    ["CMYK JPEG", "jpeg", () => makeTestImage().withIccProfile("cmyk").jpeg({ quality: 100 })],
    ["gray PNG", "png", () => makeTestImage({ channels: 1 }).png()],
    ["PNG with alpha", "png", () => makeTestImage({ channels: 4 }).png()],
    ["16-bit PNG with alpha", "png", () => makeTestImage({ channels: 4, bits: 16 }).png()],
    ["wide-gamut PNG", "png", () => makeTestImage().withIccProfile("p3").png()],
    ["lossless WebP", "webp", () => makeTestImage({ channels: 4 }).webp({ lossless: true })],
  ];

  test.each(rows)("%s: width and height swap, everything else stays", async (_, type, paint) => {
    const sample = await toSample(type, await paint().toBuffer());
    const output = await run(sample, { angle: 90 });
    const before = await sharp(sample.path).metadata();
    const facts = ["format", "space", "depth", "channels", "hasAlpha", "isProgressive"] as const;
    for (const fact of facts) expect([fact, output.metadata[fact]]).toEqual([fact, before[fact]]);
    expect(output.metadata.icc).toEqual(before.icc);
    expect(output).toMatchObject({ width: before.height, height: before.width });
    expect(output.metadata).toMatchObject({ width: before.height, height: before.width });
    const was = await readPixels(sample.path);
    const is = await readPixels(output.path);
    for (const [x, y] of [
      [3, 5],
      [200, 20],
      [120, 170],
    ] as const) {
      const moved = pixelAt(is, was.height - 1 - y, x);
      for (const [c, value] of pixelAt(was, x, y).entries()) {
        expect(Math.abs((moved[c] ?? 0) - value)).toBeLessThan(before.depth === "ushort" ? 1 : 9);
      }
    }
  });

  test.each([90, 180, 270, -90, -180, 360])("of %d degrees move each pixel", async (angle) => {
    const sample = await pngOf(makeTestImage());
    const was = await readPixels(sample.path);
    const is = await readPixels((await run(sample, { angle })).path);
    const quarters = (angle / 90 + 4) % 4;
    const right = was.width - 1;
    const bottom = was.height - 1;
    const target = [
      [7, 11],
      [bottom - 11, 7],
      [right - 7, bottom - 11],
      [11, right - 7],
    ][quarters];
    expect(pixelAt(is, target?.[0] ?? 0, target?.[1] ?? 0)).toEqual(pixelAt(was, 7, 11));
  });

  test("of 0 degrees keep the file as it is", async () => {
    const sample = await toSample("jpeg", await makeTestImage().jpeg().toBuffer());
    const { path } = await run(sample, { angle: 0 });
    expect(await readFile(path)).toEqual(await readFile(sample.path));
  });
});

describe("the EXIF orientation", () => {
  const orientations = [1, 2, 3, 4, 5, 6, 7, 8];

  test.each(orientations)("%i is applied before the rotation", async (orientation) => {
    // Corners become transparent in another way if the image has no alpha.
    for (const channels of orientation === 6 ? ([3, 4] as const) : ([4] as const)) {
      const painted = makeTestImage({ channels }).withMetadata({ orientation });
      const sample = await pngOf(painted);
      const upright = await readPixels(sample.path, { upright: true });
      const turned = await run(sample, { angle: 90 });
      const pixels = await readPixels(turned.path);
      expect([pixels.width, pixels.height]).toEqual([upright.height, upright.width]);
      expect(turned).toMatchObject({ width: upright.height, height: upright.width });
      expect(pixelAt(pixels, upright.height - 1 - 11, 7)).toEqual(pixelAt(upright, 7, 11));
      expect(turned.metadata.orientation ?? 1).toBe(1);
      // By interpolation, on the canvas of the upright image.
      const tilted = await run(sample, { angle: 10 });
      const middle = await readPixels(tilted.path);
      const center = pixelAt(middle, Math.floor(middle.width / 2), Math.floor(middle.height / 2));
      const expected = pixelAt(
        upright,
        Math.floor(upright.width / 2),
        Math.floor(upright.height / 2),
      );
      for (const [c, value] of expected.slice(0, 3).entries()) {
        expect(Math.abs((center[c] ?? 0) - value)).toBeLessThan(4);
      }
      expect(tilted.width > tilted.height).toBe(upright.width > upright.height);
      expect(tilted.metadata.orientation ?? 1).toBe(1);
    }
  });
});

test.each([5, 7])("an animation of orientation %i becomes upright", async (orientation) => {
  const frame = await makeTestImage({ channels: 4 }).png().toBuffer();
  const upright = await readPixels((await toSample("png", frame)).path);
  // Stored rows are columns of the picture, from the left or from the right.
  const turned = sharp(frame).rotate(90); // after the reflection
  const stored = await (orientation === 5 ? turned.flip() : turned.flop()).png().toBuffer();
  const frames = [stored, await sharp(stored).negate({ alpha: false }).png().toBuffer()];
  const animation = sharp(frames, { join: { animated: true } }).withMetadata({ orientation });
  const sample = await toSample("webp", await animation.webp({ lossless: true }).toBuffer());
  const { path, metadata } = await run(sample, { angle: 0 });
  expect(metadata.pages).toBe(2);
  expect(pixelAt(await readPixels(path), 7, 11)).toEqual(pixelAt(upright, 7, 11));
});

describe("other angles", () => {
  test("enlarge the canvas to the rotated corners", async () => {
    const { width, height } = await run(await pngOf(solid("#c03020")), { angle: 30 });
    expect([width, height]).toEqual([72, 65]); // 60·cos + 40·sin, 60·sin + 40·cos
  });

  test("rotate clockwise", async () => {
    const left = { create: { width: 30, height: 40, channels: 3, background: "#0000ff" } } as const;
    const image = solid("#ff0000").composite([{ input: left, left: 0, top: 0 }]);
    const pixels = await readPixels((await run(await pngOf(image), { angle: 45 })).path);
    const middle = Math.floor(pixels.width / 2);
    expect(pixelAt(pixels, middle - 10, middle - 10)).toEqual([0, 0, 255, 255]);
    expect(pixelAt(pixels, middle + 10, middle + 10)).toEqual([255, 0, 0, 255]);
  });

  const transparent: readonly [string, MediaTypeId, () => Sharp][] = [
    ["PNG", "png", () => solid("#c03020").png()],
    ["PNG with alpha", "png", () => solid("#c03020", 4).png()],
    ["16-bit PNG", "png", () => solid("#c03020").toColourspace("rgb16").png()],
    ["lossless WebP", "webp", () => solid("#c03020").webp({ lossless: true })],
    ["GIF", "gif", () => solid("#c03020").gif()],
    ["TIFF", "tiff", () => solid("#c03020").tiff({ compression: "lzw" })],
  ];

  test.each(transparent)(
    "%s: transparent corners, no foreign color at edges",
    async (_, type, paint) => {
      const sample = await toSample(type, await paint().toBuffer());
      const before = await sharp(sample.path).metadata();
      const output = await run(sample, { angle: 20 });
      expect(output.metadata).toMatchObject({ space: before.space, depth: before.depth });
      const pixels = await readPixels(output.path);
      expect(pixelAt(pixels, 0, 0)[3]).toBe(0);
      const color = pixelAt(await readPixels(sample.path), 5, 5).slice(0, 3);
      const opaque = output.metadata.depth === "ushort" ? 65_535 : 255;
      const { width, height } = pixels;
      expect(pixelAt(pixels, width >> 1, height >> 1)).toEqual([...color, opaque]);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const [red, green, blue, alpha = 0] = pixelAt(pixels, x, y);
          if (alpha > 0) expect([red, green, blue]).toEqual(color);
        }
      }
    },
  );

  test("gray images stay gray", async () => {
    const { metadata } = await run(await pngOf(makeTestImage({ channels: 1, bits: 16 })), {
      angle: 9,
    });
    expect(metadata).toMatchObject({ space: "grey16", depth: "ushort", hasAlpha: true });
  });

  test.each([
    ["PNG", "png", () => makeTestImage({ channels: 1 }).png()],
    ["PNG with alpha", "png", () => makeTestImage({ channels: 2 }).png()],
    ["16-bit PNG", "png", () => makeTestImage({ channels: 1, bits: 16 }).png()],
    ["JPEG", "jpeg", () => makeTestImage({ channels: 1 }).jpeg({ quality: 100 })],
  ] as const)("a gray %s becomes RGB for a background in color", async (_, type, paint) => {
    const sample = await toSample(type, await paint().toBuffer());
    const output = await run(sample, { angle: 45, background: "#ff0000" });
    const { format } = output.metadata;
    expect(format).toBe(type);
    const shown = await sharp(output.path).toColourspace("srgb").raw().toBuffer();
    expect([...shown.subarray(0, 3)].map((value) => Math.round(value / 4))).toEqual([64, 0, 0]);
  });

  test.each([undefined, "#00ff00", "#00ff0000"])(
    "JPEG corners, background %s",
    async (background) => {
      const bytes = await solid("#c03020").jpeg({ quality: 100 }).toBuffer();
      const sample = await toSample("jpeg", bytes);
      const output = await run(sample, { angle: 45, ...(background ? { background } : {}) });
      const [red = 0, green = 0, blue = 0] = pixelAt(await readPixels(output.path), 1, 1);
      expect(output.metadata.hasAlpha).toBe(false);
      const white = background === undefined;
      expect([red > 240, green > 240, blue > 240]).toEqual([white, true, white]);
    },
  );

  test("half-transparent backgrounds keep their alpha", async () => {
    const output = await run(await pngOf(solid("#c03020")), { angle: 45, background: "#0000ff80" });
    expect(pixelAt(await readPixels(output.path), 0, 0)).toEqual([0, 0, 255, 128]);
  });

  test("the background is converted to the image's color profile", async () => {
    const sample = await pngOf(solid("#ffffff").withIccProfile("p3"));
    const output = await run(sample, { angle: 45, background: "#ff0000" });
    expect(output.metadata.icc).toEqual((await sharp(sample.path).metadata()).icc);
    const shown = await sharp(output.path).toColourspace("srgb").raw().toBuffer();
    expect(shown[0]).toBeGreaterThan(250);
    expect(pixelAt(await readPixels(output.path), 0, 0)[0]).toBeLessThan(240);
  });
});

describe("errors", () => {
  test("a canvas of too many pixels is too complex", async () => {
    const sample = await pngOf(solid("#c03020", 3, 100, 90));
    const limits = { imagePixels: 10_000 };
    const rotated = runOperation(rotate, sample, { angle: 45 }, {}, undefined, limits);
    await expect(rotated).rejects.toMatchObject({ code: "too_complex" });
    expect(
      (await runOperation(rotate, sample, { angle: 90 }, {}, undefined, limits)).outputs,
    ).toHaveLength(1);
  });

  test("a result that its format cannot hold is too complex", async () => {
    const bytes = await solid("#c03020", 3, 16_383, 200).webp().toBuffer();
    const rotated = run(await toSample("webp", bytes), { angle: 0.7 });
    await expect(rotated).rejects.toMatchObject({ code: "too_complex" });
  });

  test("a damaged image is corrupt", async () => {
    const bytes = await makeTestImage().png().toBuffer();
    const sample = await toSample("png", bytes.subarray(0, bytes.length / 2));
    for (const angle of [90, 30]) {
      await expect(run(sample, { angle })).rejects.toMatchObject({ code: "corrupt" });
    }
  });

  test.each([
    [{}],
    [{ angle: 361 }],
    [{ angle: "90" }],
    [{ angle: Number.NaN }],
    [{ angle: 90, background: "red" }],
    [{ angle: 90, degrees: 90 }],
  ])("%j is rejected", (params) => {
    expect(rotate.params.safeParse(params).success).toBe(false);
  });
});
