import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { resize } from "#lib/operations/image/resize/index.ts";
import { makeFaceStrip, measureGray } from "#tests/samples/images/faces.ts";
import { makeTestImage, readPixels, toSample } from "#tests/samples/images/images.ts";
import { describeImageOperation, runOnImage } from "#tests/support/image-operation.ts";
import { runOperation } from "#tests/support/operation.ts";

const run = (sample: Parameters<typeof runOnImage>[1], params: Record<string, unknown>) =>
  runOnImage({ operation: resize, params }, sample);

const pngOf = async (width: number, height: number) =>
  toSample("png", await makeTestImage({ width, height }).png().toBuffer());

describe("reduced", () => {
  const params = { width: 61, height: 30, fit: "cover", position: "right" };
  describeImageOperation({ operation: resize, params, size: { width: 61, height: 30 } });
});

describe("with a border", () => {
  const params = { width: 60, height: 60, fit: "contain", position: "bottom" };
  const size = { width: 60, height: 60 };
  // Rows and columns are reduced in another order if the image is stored on its side.
  const tolerance = 6;
  describeImageOperation({ operation: resize, params, size, addsAlpha: true, tolerance });
});

/** The sizes of the results for an image of 240 × 180 pixels. */
const sizes: readonly [Record<string, unknown>, number, number][] = [
  [{ width: 120 }, 120, 90],
  [{ height: 60 }, 80, 60],
  [{ width: 7, fit: "fill" }, 7, 5],
  [{ width: 120, height: 120 }, 120, 90],
  [{ width: 120, height: 120, fit: "outside" }, 160, 120],
  [{ width: 120, height: 120, fit: "cover" }, 120, 120],
  [{ width: 120, height: 120, fit: "contain" }, 120, 120],
  [{ width: 120, height: 20, fit: "fill" }, 120, 20],
  [{ width: 480 }, 240, 180],
  [{ width: 480, enlarge: true }, 480, 360],
  [{ width: 480, height: 480, fit: "cover" }, 180, 180],
  [{ width: 480, height: 480, fit: "cover", enlarge: true }, 480, 480],
  [{ width: 480, height: 100, fit: "fill" }, 240, 100],
  [{ width: 480, height: 100, fit: "fill", enlarge: true }, 480, 100],
  [{ width: 300, height: 300, fit: "contain" }, 300, 300],
  [{ width: 300, height: 200, fit: "outside" }, 240, 180],
  [{ width: 1, height: 1, fit: "cover" }, 1, 1],
];

test.each(sizes)("%j makes %i × %i", async (params, width, height) => {
  const output = await run(await pngOf(240, 180), params);
  expect(output.metadata).toMatchObject({ width, height });
  expect([output.width, output.height]).toEqual([width, height]);
});

test.each([
  [800, 3, 50, 1],
  [3, 800, 1, 50],
  [1, 1, 1, 1],
])("an image of %i × %i becomes %i × %i", async (width, height, ...size) => {
  const { metadata } = await run(await pngOf(width, height), { width: 50, height: 50 });
  expect([metadata.width, metadata.height]).toEqual(size);
});

test("an image that already has the size is not encoded again", async () => {
  const jpeg = await makeTestImage().withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const sample = await toSample("jpeg", jpeg);
  const output = await run(sample, { width: 180, height: 240, fit: "cover" });
  expect(await readFile(output.path)).toEqual(await readFile(sample.path));
  expect([output.width, output.height]).toEqual([180, 240]);
});

describe("quality", () => {
  test.each([
    [120, 90],
    [96, 40],
    [333, 250],
  ])("%i × %i looks as ImageMagick makes it", async (width, height) => {
    const sample = await pngOf(240, 180);
    const { path } = await run(sample, { width, height, fit: "fill", enlarge: true });
    const expected = `${sample.path}.expected.png`;
    execFileSync("/usr/bin/convert", [sample.path, "-resize", `${width}x${height}!`, expected]);
    const filter = "[0]format=gbrp[a];[1]format=gbrp[b];[a][b]ssim";
    const command = 'ffmpeg -hide_banner -i "$1" -i "$2" -lavfi "$3" -f null - 2>&1';
    const log = execFileSync("sh", ["-c", command, "sh", expected, path, filter]).toString();
    expect(Number(/All:([\d.]+)/.exec(log)?.[1])).toBeGreaterThan(0.97);
  });

  test("transparent pixels give no color to the edge", async () => {
    const clear = { width: 100, height: 100, channels: 4, background: "#00ff0000" } as const;
    const box = { width: 51, height: 100, channels: 4, background: "#ff0000" } as const;
    const image = sharp({ create: clear }).composite([{ input: { create: box }, left: 0, top: 0 }]);
    const bytes = await image.png().toBuffer();
    const { samples } = await readPixels(
      (await run(await toSample("png", bytes), { width: 31 })).path,
    );
    for (let at = 0; at < samples.length; at += 4) {
      if ((samples[at + 3] ?? 0) < 8) continue;
      expect(samples[at]).toBeGreaterThan(250);
      expect(samples[at + 1]).toBe(0);
    }
  });
});

test("a small drawing that is enlarged has sharp edges", async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="6" height="4"><path d="M3 0h3v4H3z"/></svg>`;
  const sample = await toSample("svg", Buffer.from(svg));
  const params = { width: 300, enlarge: true };
  const { outputs } = await runOperation(resize, sample, params);
  const { samples, width, height } = await readPixels(outputs[0]?.path ?? "");
  expect([width, height]).toEqual([300, 200]);
  const alpha = (x: number) => samples[(100 * 300 + x) * 4 + 3];
  expect([alpha(147), alpha(152)]).toEqual([0, 255]);
  const kept = await runOperation(resize, sample, { width: 300 });
  expect(kept.outputs[0]?.width).toBe(6);
});

describe("position", () => {
  /** A gray image with a detailed, colored square at the right bottom. */
  async function makeScene() {
    const detail = await makeTestImage({ width: 40, height: 40 })
      .composite([
        { input: await makeTestImage({ width: 12, height: 12 }).negate().png().toBuffer() },
      ])
      .png()
      .toBuffer();
    const create = { width: 300, height: 60, channels: 3, background: "#808080" } as const;
    return sharp({ create }).composite([{ input: detail, left: 220, top: 10 }]);
  }

  const isPlain = async (path: string) => {
    const { channels } = await sharp(path).stats();
    return channels.every(({ stdev }) => stdev < 1);
  };

  test.each([
    ["left", true],
    ["center", true],
    ["top-right", false],
    ["entropy", false],
    ["attention", false],
    ["face", false],
  ])("%s: the detail is cut off: %s", async (position, isCutOff) => {
    const sample = await toSample("png", await (await makeScene()).png().toBuffer());
    const { path } = await run(sample, { width: 80, height: 60, fit: "cover", position });
    expect(await isPlain(path)).toBe(isCutOff);
  });

  test.each(["entropy", "attention"])("%s: frames are cut at the same place", async (position) => {
    const scene = await (await makeScene()).png().toBuffer();
    const plain = await sharp(scene).resize(300, 60).linear(0, 90).png().toBuffer();
    const joined = sharp([scene, plain], { join: { animated: true } });
    const sample = await toSample("webp", await joined.webp({ lossless: true }).toBuffer());
    const { path, metadata } = await run(sample, { width: 40, height: 30, fit: "cover", position });
    expect(metadata).toMatchObject({ pages: 2, width: 40, pageHeight: 30 });
    expect(await isPlain(path)).toBe(false);
  });
});

test("face: the crop shows the face", async () => {
  const sample = await toSample("jpeg", await makeFaceStrip(4, [3]));
  const { path } = await run(sample, { width: 200, height: 200, fit: "cover", position: "face" });
  expect(await measureGray(path)).toBeLessThan(0.15);
});

test("the border is transparent, and white in a JPEG", async () => {
  const params = { width: 60, height: 60, fit: "contain", position: "top" };
  const png = await makeTestImage().png().toBuffer();
  const jpeg = await makeTestImage().jpeg().toBuffer();
  const bottom = async (path: string) => {
    const { samples, channels } = await readPixels(path);
    return [...samples.subarray(-channels)];
  };
  expect((await bottom((await run(await toSample("png", png), params)).path))[3]).toBe(0);
  expect(await bottom((await run(await toSample("jpeg", jpeg), params)).path)).toEqual([
    255, 255, 255,
  ]);
});

test("EXIF and XMP stay, without the preview", async () => {
  const jpeg = await makeTestImage()
    .withExif({ IFD0: { Copyright: "Ada" } })
    .jpeg()
    .toBuffer();
  const { metadata } = await run(await toSample("jpeg", jpeg), { width: 50 });
  expect(metadata.exif?.includes("Ada")).toBe(true);
});

describe("errors", () => {
  test.each([
    [{ width: 2000, enlarge: true }],
    [{ width: 100, height: 200, fit: "contain" }],
    [{ width: 1, height: 16_000, fit: "cover", enlarge: true }],
  ])("%j: too many pixels are too complex", async (params) => {
    const sample = await pngOf(140, 100);
    const limits = { imagePixels: 15_000 };
    const resized = runOperation(resize, sample, params, {}, undefined, limits);
    await expect(resized).rejects.toMatchObject({ code: "too_complex" });
  });

  test.each([
    [{}],
    [{ width: 0 }],
    [{ width: 1.5 }],
    [{ height: 16_384 }],
    [{ width: 10, fit: "crop" }],
    [{ width: 10, position: "middle" }],
    [{ width: 10, size: 10 }],
  ])("%j is rejected", (params) => {
    expect(resize.params.safeParse(params).success).toBe(false);
  });
});
