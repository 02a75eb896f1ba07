import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { sharpen } from "#lib/operations/image/sharpen/index.ts";
import { watermarkText } from "#lib/operations/image/watermark-text/index.ts";
import { makeTestFrames, makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const types = ["jpeg", "png", "webp", "avif", "tiff"] as const;
type Type = (typeof types)[number];

const encoders: Record<Type, (image: Sharp) => Sharp> = {
  jpeg: (image) => image.jpeg(),
  png: (image) => image.png(),
  webp: (image) => image.webp(),
  avif: (image) => image.avif({ effort: 2 }),
  tiff: (image) => image.tiff({ compression: "lzw" }),
};

/** Without it, libvips writes an EXIF directory that lacks a tag that the standard requires. */
const cameraTags = ["-n", "-ExifIFD:ComponentsConfiguration=1 2 3 0"];

/** An image with `tags`, as exiftool names them. */
async function makeImage(type: Type, ...tags: string[]): Promise<Sample> {
  const sample = await toSample(type, await encoders[type](makeTestImage()).toBuffer());
  if (tags.length > 0) await exiftool("-q", "-overwrite_original", ...tags, sample.path);
  return sample;
}

describe.each([
  ["image/sharpen", sharpen, {}, types],
  // It writes pixels in another way.
  ["image/watermark-text", watermarkText, { text: "Mark" }, ["jpeg"] as const],
] as const)("%s", (_, operation, params, tested) => {
  const run = async (sample: Sample) =>
    (await runOperation(operation, sample, params)).outputs[0]?.path ?? "";

  test.each(tested)("%s without EXIF gets none", async (type) => {
    const output = await run(await makeImage(type));
    expect((await sharp(output).metadata()).exif).toBeUndefined();
    expect(await exiftool("-a", "-validate", "-warning", output)).toMatch(/Validate\s*: OK/);
  });

  test.each(tested)("%s with EXIF keeps it, and it is valid", async (type) => {
    const tags = ["-IFD0:Copyright=Ada", "-XMP-dc:Title=Mill", ...cameraTags];
    const output = await run(await makeImage(type, ...tags));
    // libvips reads and writes EXIF in all formats except TIFF.
    const kept = type === "tiff" ? "Mill\n" : "Ada\nMill\n";
    expect(await exiftool("-s3", "-IFD0:Copyright", "-XMP-dc:Title", output)).toBe(kept);
    expect(await exiftool("-a", "-validate", "-warning", output)).toMatch(/Validate\s*: OK/);
  });

  test.each([
    ["jpeg", "IPTC:Keywords"],
    ["png", "PNG:Comment"],
    ["webp", "XMP-dc:Title"],
  ] as const)("%s without EXIF keeps its %s", async (type, tag) => {
    const output = await run(await makeImage(type, `-${tag}=Kept`));
    expect(await exiftool("-s3", `-${tag}`, output)).toBe("Kept\n");
    expect((await sharp(output).metadata()).exif).toBeUndefined();
  });

  test("an animated WebP keeps its EXIF, frames and delays", async () => {
    const animated = { delay: [100, 250, 70], loop: 3 };
    const frames = await makeTestFrames(["#aa3333", "#33aa33", "#3333aa"]);
    const sample = await toSample("webp", await frames.webp(animated).toBuffer());
    await exiftool("-q", "-overwrite_original", "-IFD0:Copyright=Ada", sample.path);
    const output = await run(sample);
    expect(await sharp(output, { pages: -1 }).metadata()).toMatchObject({ pages: 3, ...animated });
    expect(await exiftool("-s3", "-IFD0:Copyright", output)).toBe("Ada\n");
    expect(await exiftool("-a", "-validate", "-warning", output)).toMatch(/Validate\s*: OK/);
  });
});
