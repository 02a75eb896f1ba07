import { readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { crop } from "#lib/operations/image/crop/index.ts";
import {
  makeTestImage,
  type Pixels,
  paintNoise,
  readPixels,
  toSample,
} from "#tests/samples/images/images.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runCopy } from "#tests/samples/zygote/run-copy.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOnImage } from "#tests/support/image-operation.ts";

const run = (sample: Parameters<typeof runOnImage>[1], params: Record<string, unknown>) =>
  runOnImage({ operation: crop, params }, sample);

const jpegOf = async (image: Sharp, options = {}) =>
  toSample("jpeg", await image.jpeg({ quality: 60, ...options }).toBuffer());

/**
 * The largest difference to `box` of the image. At the edges, decoders interpolate colors of fewer
 * samples from other pixels, so that `inset` pixels there do not count.
 */
function difference(whole: Pixels, part: Pixels, left: number, top: number, inset: number): number {
  let largest = 0;
  for (let y = inset; y < part.height - inset; y++) {
    for (let x = inset * part.channels; x < (part.width - inset) * part.channels; x++) {
      const value = part.samples[y * part.width * part.channels + x] ?? 0;
      const at = ((top + y) * whole.width + left) * whole.channels + x;
      largest = Math.max(largest, Math.abs(value - (whole.samples[at] ?? 0)));
    }
  }
  return largest;
}

const noisy = (width = 243, height = 181) => paintNoise(width, height);

const rows: readonly [string, (image: Sharp) => Sharp, object, number, number][] = [
  ["4:4:4", (image) => image, { chromaSubsampling: "4:4:4" }, 8, 0],
  ["4:2:0", (image) => image, { chromaSubsampling: "4:2:0" }, 16, 2],
  ["gray", (image) => image.toColourspace("b-w"), {}, 8, 0],
  ["CMYK", (image) => image.withIccProfile("cmyk"), {}, 16, 2],
  ["with standard codes", (image) => image, { optimiseCoding: false }, 16, 2],
  ["progressive", (image) => image, { progressive: true }, 16, 2],
];

const boxes = [
  [1, 1, 96, 64],
  [0, 2, 77, 45],
  [3, 0, 7, 150],
  [2, 3, 195, 133],
] as const;

/** Files of 4:2:0 meet every box, others two of them in turn. */
const boxesOf = (name: string, row: number) =>
  boxes.filter((_, index) => name === "4:2:0" || index % 2 === row % 2);

const cases = rows.map((row, index) => [...row, boxesOf(row[0], index)] as const);

describe.each(cases)("%s", (_, paint, options, unit, inset, tried) => {
  test.each(tried)(
    "a box at the grid keeps the values of all pixels: %i, %i, %i × %i",
    async (x, y, width, height) => {
      const sample = await jpegOf(paint(await noisy()), options);
      const left = x * unit;
      const top = y * unit;
      const box = {
        left,
        top,
        width: Math.min(width, 243 - left),
        height: Math.min(height, 181 - top),
      };
      const output = await run(sample, box);
      expect(output.metadata).toMatchObject({
        width: box.width,
        height: box.height,
        format: "jpeg",
      });
      const was = await sharp(sample.path).metadata();
      const facts = ["space", "chromaSubsampling", "isProgressive", "density"] as const;
      for (const fact of facts) expect([fact, output.metadata[fact]]).toEqual([fact, was[fact]]);
      expect(output.metadata.icc).toEqual(was.icc);
      const whole = await readPixels(sample.path);
      const part = await readPixels(output.path);
      expect(difference(whole, part, left, top, inset)).toBe(0);
      // ffmpeg reads it without an error. It warns of no end in some narrow files that have one.
      const flags = ["-v", "error", "-i", output.path, "-f", "null", "-"];
      expect(runCopy("ffmpeg", flags).stderr.toString()).toBe("");
    },
  );
});

test("a box off the grid is encoded again, with its exact pixels", async () => {
  const sample = await jpegOf(await noisy(), { quality: 95 });
  const output = await run(sample, { left: 13, top: 7, width: 90, height: 80 });
  const whole = await readPixels(sample.path);
  const part = await readPixels(output.path);
  const changed = difference(whole, part, 13, 7, 0);
  expect(changed).toBeGreaterThan(0);
  expect(output.metadata).toMatchObject({ width: 90, height: 80 });
});

test("restart markers are read", async () => {
  const source = await toSample("png", await (await noisy(256, 192)).png().toBuffer());
  const sample = await jpegOf(sharp(source.path));
  const flags = ["-v", "error", "-y", "-i", source.path, "-pix_fmt", "yuvj420p", "-threads", "4"];
  execProgram("ffmpeg", [
    ...flags,
    "-thread_type",
    "slice",
    "-q:v",
    "4",
    "-f",
    "mjpeg",
    sample.path,
  ]);
  const marked = await readFile(sample.path);
  expect([marked.includes("ffdd", 0, "hex"), marked.includes("ffd0", 0, "hex")]).toEqual([
    true,
    true,
  ]);
  const output = await run(sample, { left: 16, top: 112, width: 96, height: 64 });
  const whole = await readPixels(sample.path);
  const part = await readPixels(output.path);
  expect(difference(whole, part, 16, 112, 2)).toBe(0);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "EXIF orientation %i: the box is displayed",
  async (orientation) => {
    // The displayed box is at the grid of the stored pixels in each orientation.
    const image = makeTestImage({ width: 256, height: 192 }).withMetadata({ orientation });
    const sample = await jpegOf(image, { chromaSubsampling: "4:4:4" });
    const box = { left: 64, top: 32, width: 96, height: 64 };
    const output = await run(sample, box);
    expect(output).toMatchObject({ width: 96, height: 64 });
    expect(output.metadata.orientation).toBe(orientation);
    const whole = await readPixels(sample.path, { upright: true });
    const part = await readPixels(output.path, { upright: true });
    expect(difference(whole, part, 64, 32, 0)).toBe(0);
  },
);

test("EXIF, XMP and IPTC stay as they are", async () => {
  const sample = await jpegOf(makeTestImage());
  const tags = ["-IFD0:Copyright=Ada", "-XMP-dc:Title=Mill", "-IPTC:Keywords=grain"];
  await exiftool("-q", "-overwrite_original", ...tags, sample.path);
  const { path } = await run(sample, { left: 16, top: 16, width: 64, height: 64 });
  const shown = ["-s3", "-IFD0:Copyright", "-XMP-dc:Title", "-IPTC:Keywords", path];
  expect(await exiftool(...shown)).toBe("Ada\nMill\ngrain\n");
});

test.each([false, true])(
  "a damaged file is corrupt, also outside of the box, progressive: %s",
  async (progressive) => {
    const bytes = await (await noisy()).jpeg({ progressive }).toBuffer();
    const sample = await toSample("jpeg", bytes.subarray(0, Math.floor(bytes.length * 0.8)));
    const cropped = run(sample, { left: 16, top: 16, width: 32, height: 32 });
    await expect(cropped).rejects.toMatchObject({ code: "corrupt" });
  },
);
