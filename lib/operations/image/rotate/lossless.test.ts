import { readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { rotate } from "#lib/operations/image/rotate/index.ts";
import { makeTestImage, paintNoise, readPixels, toSample } from "#tests/samples/images/images.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { largestDifference, runOnImage } from "#tests/support/image-operation.ts";
import type { Sample } from "#tests/support/operation.ts";

const run = (sample: Sample, angle: number) =>
  runOnImage({ operation: rotate, params: { angle } }, sample);

/** A JPEG of noise, of which each encoding loses a lot. */
async function makeJpeg(width = 96, height = 64, orientation = 1, options = {}): Promise<Sample> {
  const painted = (await paintNoise(width, height)).withMetadata({ orientation });
  const encoded = painted.jpeg({ quality: 50, chromaSubsampling: "4:4:4", ...options });
  return toSample("jpeg", await encoded.toBuffer());
}

/** The decoded pixels of `sample`, rotated. */
async function rotatePixels({ path }: Sample, angle: number) {
  const { samples, width, height } = await readPixels(path, { upright: true });
  const image = sharp(samples as Uint8Array, { raw: { width, height, channels: 3 } });
  const { data, info } = await image.rotate(angle).raw().toBuffer({ resolveWithObject: true });
  return { ...info, samples: data };
}

/** Decoders round differently after a rotation: see the tests of the files. */
const rounding = 3;

// All combinations: tests/lib/media/transform.test.ts and lib/engines/jpegtran/jpegtran.test.ts.
test.each([
  [1, 0],
  [1, 90],
  [1, 180],
  [1, 270],
  [1, -90],
  [2, 90],
  [3, 180],
  [4, 270],
  [5, 90],
  [6, 0],
  [6, 90],
  [7, -90],
  [8, 180],
])("EXIF orientation %i by %i degrees: the pixels only move", async (orientation, angle) => {
  const sample = await makeJpeg(96, 64, orientation);
  const output = await run(sample, angle);
  const expected = await rotatePixels(sample, angle);
  const { width, height } = expected;
  expect(output).toMatchObject({ width, height, metadata: { width, height } });
  expect(output.metadata.orientation).toBe(1);
  expect(largestDifference(await readPixels(output.path), expected)).toBeLessThanOrEqual(rounding);
});

test.each([
  ["sequential", {}],
  ["progressive", { progressive: true }],
])("four rotations of a %s file give the same pixels", async (_, options) => {
  const sample = await makeJpeg(96, 64, 1, options);
  let path = sample.path;
  for (let turn = 0; turn < 4; turn++) path = (await run({ ...sample, path }, 90)).path;
  expect((await readPixels(path)).samples).toEqual((await readPixels(sample.path)).samples);
});

test("metadata is kept, and what belongs to an axis moves with it", async () => {
  const sample = await makeJpeg(96, 64, 3);
  const preview = await toSample("jpeg", await makeTestImage({ width: 40 }).jpeg().toBuffer());
  const profile = await sharp(sample.path).withIccProfile("p3").toBuffer();
  await writeFile(sample.path, profile);
  const kept = ["-IFD0:Copyright=Ada", "-XMP-dc:Title=Mill", "-IPTC:Keywords=grain"];
  const more = ["-Comment=ground", "-IFD0:Orientation#=3", `-ThumbnailImage<=${preview.path}`];
  const sizes = ["-n", "-ExifIFD:ExifImageWidth=96", "-ExifIFD:ExifImageHeight=64"];
  const resolutions = ["-IFD0:XResolution=204", "-IFD0:YResolution=98"];
  const required = ["-ExifIFD:ComponentsConfiguration=1 2 3 0", "-IFD0:YCbCrPositioning=1"];
  const tags = [...kept, ...more, ...sizes, ...resolutions, ...required];
  await exiftool("-q", "-overwrite_original", ...tags, sample.path);
  const { path, metadata } = await run(sample, 90);
  const shown = ["-IFD0:Copyright", "-XMP-dc:Title", "-IPTC:Keywords", "-Comment"];
  expect(await exiftool("-s3", ...shown, path)).toBe("Ada\nMill\ngrain\nground\n");
  const moved = ["-ExifImageWidth", "-ExifImageHeight", "-IFD0:XResolution", "-IFD0:YResolution"];
  expect(await exiftool("-s3", "-n", ...moved, "-Orientation", path)).toBe("64\n96\n98\n204\n1\n");
  expect(await exiftool("-s3", "-ThumbnailLength", path)).toBe("");
  expect(await exiftool("-validate", "-warning", "-a", path)).toMatch(/Validate\s*: OK/);
  expect(metadata.icc).toEqual((await sharp(sample.path).metadata()).icc);
  const expected = await rotatePixels(sample, 90);
  expect(largestDifference(await readPixels(path), expected)).toBeLessThanOrEqual(rounding);
});

test("a file without EXIF gets none", async () => {
  const bytes = await (await paintNoise(96, 64)).jpeg().toBuffer();
  const { metadata } = await run(await toSample("jpeg", bytes), 90);
  expect([metadata.exif, metadata.orientation]).toEqual([undefined, undefined]);
});

test.each([1, 6])(
  "a progressive file with orientation %i: the pixels only move",
  async (orientation) => {
    const sample = await makeJpeg(96, 64, orientation, { progressive: true });
    for (const angle of [90, 180]) {
      const output = await run(sample, angle);
      const expected = await rotatePixels(sample, angle);
      const { width, height } = expected;
      expect(output.metadata).toMatchObject({ width, height, isProgressive: true });
      const difference = largestDifference(await readPixels(output.path), expected);
      expect(difference).toBeLessThanOrEqual(rounding);
    }
  },
);

test("an image that is upright after both has the coefficients of the file", async () => {
  const sample = await makeJpeg(90, 61, 6);
  const output = await run(sample, -90);
  expect(output.metadata).toMatchObject({ width: 90, height: 61, orientation: 1 });
  expect((await readPixels(output.path)).samples).toEqual((await readPixels(sample.path)).samples);
});

describe("encoded again, and correct", () => {
  test.each([
    ["a width and height off the grid", 90, 61, {}],
    ["the same, progressive", 90, 61, { progressive: true }],
  ])("%s", async (_, width, height, options) => {
    for (const orientation of [1, 6]) {
      const image = makeTestImage({ width, height }).withMetadata({ orientation });
      const sample = await toSample("jpeg", await image.jpeg(options).toBuffer());
      for (const angle of [90, 180]) {
        const output = await run(sample, angle);
        const expected = await rotatePixels(sample, angle);
        expect(largestDifference(await readPixels(output.path), expected)).toBeLessThan(16);
        expect(output.metadata).toMatchObject({
          width: expected.width,
          height: expected.height,
          isProgressive: "progressive" in options,
        });
      }
    }
  });
});

test.each([
  ["sequential", {}],
  ["progressive", { progressive: true }],
])("a damaged %s file is corrupt", async (_, options) => {
  const { path } = await makeJpeg(96, 64, 1, options);
  const bytes = await readFile(path);
  for (const share of [0.5, 0.9]) {
    const part = await toSample("jpeg", bytes.subarray(0, Math.floor(bytes.length * share)));
    await expect(run(part, 90)).rejects.toMatchObject({ code: "corrupt" });
  }
});
