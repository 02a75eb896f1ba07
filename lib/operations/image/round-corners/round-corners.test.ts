import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { roundCorners } from "#lib/operations/image/round-corners/index.ts";
import { makeTestImage, type Pixels, readPixels, toSample } from "#tests/samples/images/images.ts";
import {
  describeDamage,
  describeOrientations,
  imageRows,
  runOnImage,
  testSize,
} from "#tests/support/image-operation.ts";

const run = (sample: Parameters<typeof runOnImage>[1], params: Record<string, unknown>) =>
  runOnImage({ operation: roundCorners, params }, sample);

const params = { radius: 20 };

const outputs: Readonly<Record<string, string>> = { webp: "webp", gif: "webp", avif: "heif" };

test.each(imageRows)("%s: transparent corners; depth and profile stay", async (_, type, make) => {
  const sample = await toSample(type, await (await make()).toBuffer());
  const was = await sharp(sample.path).metadata();
  const { metadata, path, ...size } = await run(sample, params);
  const { depth, hasAlpha, format } = metadata;
  const expected = outputs[type] ?? "png";
  expect({ depth, hasAlpha, format }).toEqual({
    depth: was.depth,
    hasAlpha: true,
    format: expected,
  });
  expect(size).toEqual(testSize);
  const isCmyk = was.space === "cmyk";
  expect(metadata.space).toBe(isCmyk ? "srgb" : was.space);
  if (!isCmyk) expect(metadata.icc).toEqual(was.icc);
  expect((await readPixels(path)).samples[3]).toBe(0);
});

/** The JPEG with the profile of a press that differs from the one that libvips takes for CMYK. */
async function addProfile(jpeg: Buffer): Promise<Buffer> {
  const require = createRequire(import.meta.url);
  const profile = await readFile(require.resolve("pdfjs-dist/iccs/CGATS001Compat-v2-micro.icc"));
  const name = Buffer.from("ICC_PROFILE\0\x01\x01", "latin1");
  const marker = Buffer.from([0xff, 0xe2, 0, 0]);
  marker.writeUInt16BE(2 + name.length + profile.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), marker, name, profile, jpeg.subarray(2)]);
}

test.each([
  ["with the profile of libvips", (image: Sharp) => image.withIccProfile("cmyk"), undefined],
  ["with another profile", (image: Sharp) => image.toColourspace("cmyk"), addProfile],
])("the colors of a CMYK image %s are converted with it", async (_, convert, change) => {
  const create = { width: 60, height: 40, channels: 3, background: "#3366aa" } as const;
  const jpeg = await convert(sharp({ create })).jpeg({ quality: 100 }).toBuffer();
  const bytes = change ? await change(jpeg) : jpeg;
  const [red = 0, green = 0, blue = 0] = await sharp(bytes).raw().toBuffer();
  const { path } = await run(await toSample("jpeg", bytes), params);
  const shown = await sharp(path)
    .extract({ left: 30, top: 20, width: 1, height: 1 })
    .raw()
    .toBuffer();
  expect([...shown.subarray(0, 3)]).toEqual([red, green, blue]);
});

describe("orientations", () => describeOrientations({ operation: roundCorners, params }));
describe("damage", () => describeDamage({ operation: roundCorners, params }));

const alphaAt = ({ samples, width }: Pixels, x: number, y: number) =>
  samples[(y * width + x) * 4 + 3];

const pngOf = async (image: Sharp) => toSample("png", await image.png().toBuffer());

const solid = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#c03020" } });

/** The area that is cut off at a corner, in pixels. */
const cutArea = ({ samples }: Pixels) => {
  let opaque = 0;
  for (let index = 3; index < samples.length; index += 4) opaque += (samples[index] ?? 0) / 255;
  return samples.length / 4 - opaque;
};

describe("radius", () => {
  test.each([
    [20, 20],
    ["20", 20],
    ["10%", 10],
    ["12.5%", 12.5],
    ["50%", 50],
    [400, 50],
    [0, 0],
  ])("%s of 200 × 100 pixels is %d pixels", async (radius, pixels) => {
    const output = await readPixels((await run(await pngOf(solid(200, 100)), { radius })).path);
    // A square less a quarter of a circle, at four corners.
    const expected = (4 - Math.PI) * pixels ** 2;
    expect(Math.abs(cutArea(output) - expected)).toBeLessThan(0.02 * expected + 1);
  });

  test("all four corners are alike, and the edge is smooth", async () => {
    const pixels = await readPixels((await run(await pngOf(solid(90, 70)), { radius: 25 })).path);
    const alphas = new Set<number>();
    for (let y = 0; y < 25; y++) {
      for (let x = 0; x < 25; x++) {
        const alpha = alphaAt(pixels, x, y) ?? -1;
        alphas.add(alpha);
        const others = [
          alphaAt(pixels, 89 - x, y),
          alphaAt(pixels, x, 69 - y),
          alphaAt(pixels, 89 - x, 69 - y),
        ];
        expect(others).toEqual([alpha, alpha, alpha]);
      }
    }
    expect(alphas.size).toBeGreaterThan(10);
  });

  test("transparency of the image stays, and so do its colors", async () => {
    const sample = await pngOf(makeTestImage({ channels: 4, bits: 16 }));
    const before = await readPixels(sample.path);
    const after = await readPixels((await run(sample, params)).path);
    const middle = 90 * 240 * 4 + 480;
    expect(after.samples.subarray(middle, middle + 400)).toEqual(
      before.samples.subarray(middle, middle + 400),
    );
    const colors = ({ samples }: Pixels) => samples.filter((_, index) => index % 4 !== 3);
    expect(colors(after)).toEqual(colors(before));
  });
});

test.each([
  [121, 80],
  [80, 121],
  [1, 1],
])("circle: %i × %i becomes the circle in its center", async (width, height) => {
  const sample = await pngOf(makeTestImage({ width, height }));
  const output = await run(sample, { circle: true });
  const side = Math.min(width, height);
  expect([output.width, output.height]).toEqual([side, side]);
  const pixels = await readPixels(output.path);
  const expected = side ** 2 * (1 - Math.PI / 4);
  expect(Math.abs(cutArea(pixels) - expected)).toBeLessThan(0.02 * expected + 1);
  const box = { left: (width - side) >> 1, top: (height - side) >> 1, width: side, height: side };
  const center = ((side >> 1) * side + (side >> 1)) * 4;
  const before = await sharp(sample.path).extract(box).ensureAlpha().raw().toBuffer();
  expect(Buffer.from(pixels.samples).subarray(center, center + 3)).toEqual(
    before.subarray(center, center + 3),
  );
});

test.each([
  ["gif", (image: Sharp) => image.gif({ delay: [100, 250], loop: 3 })],
  ["webp", (image: Sharp) => image.webp({ delay: [100, 250], loop: 3 })],
] as const)("%s: each frame of an animation is rounded", async (type, encode) => {
  const frames = [solid(60, 40), solid(60, 40).negate()].map((frame) => frame.png().toBuffer());
  const joined = sharp(await Promise.all(frames), { join: { animated: true } });
  const output = await run(await toSample(type, await encode(joined).toBuffer()), params);
  const expected = { format: "webp", pages: 2, pageHeight: 40, delay: [100, 250], loop: 3 };
  expect(output.metadata).toMatchObject(expected);
  const pixels = await readPixels(output.path);
  const corners = [0, 39, 40, 79].map((y) => alphaAt(pixels, 0, y));
  expect([...corners, alphaAt(pixels, 30, 20), alphaAt(pixels, 30, 60)]).toEqual([
    0, 0, 0, 0, 255, 255,
  ]);
});

test("of a TIFF with several pages, it is the first one", async () => {
  const frames = [solid(60, 40), solid(60, 40).negate()].map((frame) => frame.png().toBuffer());
  const joined = sharp(await Promise.all(frames), { join: { animated: true } });
  const output = await run(
    await toSample("tiff", await joined.tiff({ compression: "lzw" }).toBuffer()),
    params,
  );
  expect(output.metadata).toMatchObject({ format: "png", width: 60, height: 40 });
});

test.each([
  [{}],
  [{ radius: -1 }],
  [{ radius: "1em" }],
  [{ radius: "-5%" }],
  [{ radius: 20_000 }],
  [{ circle: "yes" }],
  [{ radius: 1, size: 1 }],
])("%j is rejected", (given) => {
  expect(roundCorners.params.safeParse(given).success).toBe(false);
});
