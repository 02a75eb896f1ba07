import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { thumbnail } from "#lib/operations/image/thumbnail/index.ts";
import { makeFaceStrip, measureGray } from "#tests/samples/images/faces.ts";
import {
  makeTestFrames,
  makeTestImage,
  readPixels,
  toSample,
} from "#tests/samples/images/images.ts";
import {
  describeDamage,
  describeOrientations,
  imageRows,
  runOnImage,
} from "#tests/support/image-operation.ts";
import { runOperation } from "#tests/support/operation.ts";

const run = (sample: Parameters<typeof runOnImage>[1], params: Record<string, unknown>) =>
  runOnImage({ operation: thumbnail, params }, sample);

const size = { width: 32, height: 32 };

describe.each(imageRows)("%s", (_, type, make) => {
  test("becomes an sRGB JPEG of the exact size without metadata", async () => {
    const sample = await toSample(type, await (await make()).toBuffer());
    const { metadata, path, ...given } = await run(sample, { width: 64, height: 20 });
    expect(given).toEqual({ width: 64, height: 20 });
    expect(metadata).toMatchObject({ format: "jpeg", width: 64, height: 20, hasAlpha: false });
    expect(metadata.space).toMatch(/srgb|b-w/);
    expect(metadata.icc).toBeUndefined();
  });
});

describe("orientations", () => {
  const params = { ...size, strategy: "center", format: "png" };
  describeOrientations({ operation: thumbnail, params, tolerance: 6 });
});

describe("damage", () => describeDamage({ operation: thumbnail, params: size }));

test.each(["jpeg", "png", "webp", "avif"] as const)("format %s", async (format) => {
  const sample = await toSample("png", await makeTestImage({ channels: 4 }).png().toBuffer());
  const { metadata } = await run(sample, { ...size, format });
  const known = format === "avif" ? "heif" : format;
  expect(metadata).toMatchObject({ format: known, ...size, hasAlpha: format !== "jpeg" });
});

test("a smaller image is enlarged", async () => {
  const sample = await toSample(
    "png",
    await makeTestImage({ width: 9, height: 5 }).png().toBuffer(),
  );
  expect((await run(sample, size)).metadata).toMatchObject(size);
});

test("a small drawing has sharp edges", async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="6" height="4"><path d="M3 0h3v4H3z"/></svg>`;
  const sample = await toSample("svg", Buffer.from(svg));
  const params = { width: 300, height: 200, strategy: "center", format: "png" };
  const { outputs } = await runOperation(thumbnail, sample, params);
  const { samples } = await readPixels(outputs[0]?.path ?? "");
  const alpha = (x: number) => samples[(100 * 300 + x) * 4 + 3];
  expect([alpha(147), alpha(152)]).toEqual([0, 255]);
});

test.each([
  [1, 65_535],
  [5000, 1],
])("an image of %i × %i", async (width, height) => {
  const bytes = await makeTestImage({ width, height }).png().toBuffer();
  const { metadata } = await run(await toSample("png", bytes), { width: 300, height: 300 });
  expect(metadata).toMatchObject({ width: 300, height: 300 });
});

test("the colors of a wide-gamut image are converted", async () => {
  const create = { width: 40, height: 40, channels: 3, background: "#c83264" } as const;
  const bytes = await sharp({ create }).withIccProfile("p3").png().toBuffer();
  const { path } = await run(await toSample("png", bytes), { ...size, format: "png" });
  const [red = 0, green = 0, blue = 0] = (await readPixels(path)).samples;
  for (const [value, wanted] of [
    [red, 0xc8],
    [green, 0x32],
    [blue, 0x64],
  ] as const)
    expect(Math.abs(value - wanted)).toBeLessThanOrEqual(1);
});

test("of an animation it is the first frame", async () => {
  const frames = await makeTestFrames(["#aa3333", "#33aa33"]);
  const sample = await toSample("gif", await frames.gif().toBuffer());
  const { path, metadata } = await run(sample, { ...size, strategy: "center", format: "png" });
  expect(metadata.pages ?? 1).toBe(1);
  const [red = 0, green = 0] = (await readPixels(path)).samples.subarray(-4);
  expect(red > green).toBe(true);
});

test("transparent parts are white in a JPEG", async () => {
  const create = { width: 40, height: 40, channels: 4, background: "#00000000" } as const;
  const sample = await toSample("png", await sharp({ create }).png().toBuffer());
  const { path } = await run(sample, size);
  expect([...(await readPixels(path)).samples.subarray(0, 3)]).toEqual([255, 255, 255]);
});

describe("strategy", () => {
  test.each([
    ["center", true],
    ["entropy", false],
    ["attention", false],
  ])("%s: the detail at the edge is cut off: %s", async (strategy, isCutOff) => {
    const detail = await makeTestImage({ width: 40, height: 40 }).negate().png().toBuffer();
    const create = { width: 300, height: 60, channels: 3, background: "#808080" } as const;
    const scene = sharp({ create }).composite([{ input: detail, left: 240, top: 10 }]);
    const sample = await toSample("png", await scene.png().toBuffer());
    const { path } = await run(sample, { width: 60, height: 60, strategy, format: "png" });
    const { channels } = await sharp(path).stats();
    expect(channels.every(({ stdev }) => stdev < 1)).toBe(isCutOff);
  });
});

test.each([
  [{ width: 10 }],
  [{ height: 10 }],
  [{ ...size, width: 0 }],
  [{ ...size, height: 4097 }],
  [{ ...size, strategy: "left" }],
  [{ ...size, format: "gif" }],
  [{ ...size, fit: "cover" }],
])("%j is rejected", (params) => {
  expect(thumbnail.params.safeParse(params).success).toBe(false);
});

test.each([
  [400, 200, [0, 3, 4]],
  [200, 200, [4]],
  [300, 400, [2]],
])("face: %i × %i shows the faces in squares %j, upright", async (width, height, squares) => {
  const strip = await makeFaceStrip(5, squares);
  const rotated = await sharp(strip).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();
  const sample = await toSample("jpeg", rotated);
  const { path } = await run(sample, { width, height, strategy: "face", format: "png" });
  expect(await measureGray(path)).toBeLessThan(0.15);
});
