import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { rotate } from "#lib/operations/image/rotate/index.ts";
import {
  makeTestFrames,
  makeTestImage,
  type Pixels,
  readPixels,
  toSample,
} from "#tests/samples/images/images.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function run(sample: Sample, params: { readonly angle: number }) {
  const { outputs } = await runOperation(rotate, sample, { ...params });
  const { path = "", width = 0, height = 0 } = outputs[0] ?? {};
  return { path, width, height, metadata: await sharp(path, { pages: -1 }).metadata() };
}

/** Red, green and blue of a pixel. */
function colorAt({ samples, width, channels }: Pixels, x: number, y: number): number[] {
  const start = (y * width + x) * channels;
  return [...samples.subarray(start, start + 3)];
}

const solid = (background: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } });

describe("animations", () => {
  const animated = { delay: [100, 250, 70], loop: 3 };
  const colors = ["#aa3333", "#33aa33", "#3333aa"];

  test.each([
    ["gif", 90, (image: Sharp) => image.gif(animated)],
    ["gif", 30, (image: Sharp) => image.gif(animated)],
    ["webp", 90, (image: Sharp) => image.webp({ ...animated, lossless: true })],
    ["webp", 30, (image: Sharp) => image.webp({ ...animated, lossless: true })],
  ] as const)(
    "%s by %d degrees: all frames, delays and the loop count stay",
    async (type, angle, encode) => {
      const painted = await makeTestFrames(colors);
      const sample = await toSample(type, await encode(painted).toBuffer());
      const output = await run(sample, { angle });
      expect(output.metadata).toMatchObject({ format: type, pages: 3, ...animated });
      expect(output.metadata.pageHeight).toBe(output.height);
      expect([output.width, output.height]).toEqual(angle === 90 ? [80, 120] : [144, 129]);
      const pixels = await readPixels(output.path);
      for (const page of colors.keys()) {
        const before = await readPixels(sample.path);
        // In the bright right half, which is below the center after the rotation.
        const y = page * output.height + Math.floor(output.height * 0.7);
        const x = Math.floor(output.width * 0.55);
        const expected = colorAt(before, 90, page * 80 + 40);
        expect(colorAt(pixels, x, y)).toEqual(expected);
      }
    },
  );

  test("EXIF and profile of an animated WebP stay, its orientation is applied", async () => {
    const frames = (await makeTestFrames(colors)).withIccProfile("p3");
    const sample = await toSample("webp", await frames.webp(animated).toBuffer());
    const tags = ["-IFD0:Copyright=Ada", "-IFD0:Orientation#=6"];
    await exiftool("-q", "-overwrite_original", ...tags, sample.path);
    const output = await run(sample, { angle: 90 });
    const icc = (await sharp(sample.path).metadata()).icc;
    expect(output.metadata).toMatchObject({ icc, pages: 3, width: 120, pageHeight: 80 });
    expect(await exiftool("-s3", "-n", "-Copyright", "-Orientation", output.path)).toBe("Ada\n1\n");
  });
});

test("every page of a TIFF is rotated", async () => {
  const page = (color: string) => solid(color).png().toBuffer();
  const pages = await Promise.all(["#aa3333", "#3333aa"].map(page));
  const bytes = await sharp(pages, { join: { animated: true } })
    .tiff({ compression: "lzw" })
    .toBuffer();
  const output = await run(await toSample("tiff", bytes), { angle: 90 });
  expect(output.metadata).toMatchObject({ pages: 2, width: 40, pageHeight: 60 });
  const pixels = await readPixels(output.path);
  expect(colorAt(pixels, 20, 30)).toEqual([0xaa, 0x33, 0x33]);
  expect(colorAt(pixels, 20, 90)).toEqual([0x33, 0x33, 0xaa]);
});

describe("metadata", () => {
  test.each(["jpeg", "png", "webp"] as const)("%s without metadata gets none", async (type) => {
    const sample = await toSample(type, await makeTestImage()[type]().toBuffer());
    for (const angle of [90, 30]) {
      const { metadata } = await run(sample, { angle });
      const { exif, xmp, iptc, icc, orientation } = metadata;
      expect([exif, xmp, iptc, icc, orientation]).toEqual(Array(5).fill(undefined));
    }
  });

  test.each(["jpeg", "png", "webp"] as const)("%s keeps its EXIF and XMP", async (type) => {
    const sample = await toSample(type, await makeTestImage()[type]().toBuffer());
    const tags = ["-IFD0:Copyright=Ada", "-XMP-dc:Title=Mill", "-IFD0:Orientation#=6"];
    await exiftool("-q", "-overwrite_original", ...tags, sample.path);
    for (const angle of [90, 30]) {
      const { path, metadata } = await run(sample, { angle });
      expect(await exiftool("-s3", "-IFD0:Copyright", "-XMP-dc:Title", path)).toBe("Ada\nMill\n");
      expect(metadata.orientation ?? 1).toBe(1);
    }
  });
});

test("the preview in the EXIF data of a JPEG, which is not rotated, is removed", async () => {
  const sample = await toSample("jpeg", await makeTestImage().jpeg().toBuffer());
  const preview = await toSample("jpeg", await solid("#c03020").jpeg().toBuffer());
  const required = ["-n", "-ExifIFD:ComponentsConfiguration=1 2 3 0"];
  const tags = ["-IFD0:Copyright=Ada", `-ThumbnailImage<=${preview.path}`, ...required];
  await exiftool("-q", "-overwrite_original", ...tags, sample.path);
  expect(await exiftool("-s3", "-ThumbnailLength", sample.path)).not.toBe("");
  const { path } = await run(sample, { angle: 90 });
  expect(await exiftool("-s3", "-ThumbnailLength", "-IFD0:Copyright", path)).toBe("Ada\n");
  expect(await exiftool("-validate", "-warning", "-a", path)).toMatch(/Validate\s*: OK/);
});
