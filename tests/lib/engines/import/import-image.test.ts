import { copyFile, stat } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { importFile } from "#lib/engines/import/import-file.ts";
import type { RawMode } from "#lib/engines/import/types.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import { mediaType } from "#lib/media/types.ts";
import { animated } from "#lib/operations/image/animated/index.ts";
import { makeTestImage, readPixels, toSample } from "#tests/samples/images/images.ts";
import {
  encodeWithVips,
  makeBmp,
  makeDng,
  makeIcon,
} from "#tests/samples/images/imported-images.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, type Sample, temporaryWorkFolder } from "#tests/support/operation.ts";

interface Options {
  readonly raw?: RawMode;
  readonly width?: number;
  readonly limits?: Partial<FileLimits>;
}

async function run(sample: Sample, { raw = "preview", width, limits }: Options = {}) {
  const work = temporaryWorkFolder(limits);
  const type = mediaType(sample.type);
  const file = work.input(type.extension);
  await copyFile(sample.path, file.path);
  const { size: bytes } = await stat(file.path);
  const input = { ...file, type, bytes, filename: sample.filename ?? "input" };
  const signal = new AbortController().signal;
  return importFile(input, { raw, size: { width } }, work, signal);
}

/** The largest difference of a channel between two images of one size. */
async function difference(path: string, expected: Sharp): Promise<number> {
  const channels = (await sharp(path).metadata()).hasAlpha ? 4 : 3;
  const is = await sharp(path).toColourspace("srgb").raw().toBuffer();
  const wanted = channels === 4 ? expected.clone().ensureAlpha() : expected.clone().removeAlpha();
  const was = await wanted.raw().toBuffer();
  expect(is.length).toBe(was.length);
  return is.reduce((most, value, index) => Math.max(most, Math.abs(value - (was[index] ?? 0))), 0);
}

const half = (left: string, right: string, width = 80, height = 60) =>
  sharp({ create: { width, height, channels: 3, background: right } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: left } },
      left: 0,
      top: 0,
    },
  ]);

const flatten = async (image: Sharp) => sharp(await image.png().toBuffer());

describe("the pixels of", () => {
  test("HEIC, as JPEG with its ICC profile and EXIF tags", async () => {
    const image = makeTestImage()
      .withIccProfile("p3")
      .withExif({ IFD0: { Copyright: "Ada" } });
    const sample = await encodeWithVips("heic", image, "--Q", "95");
    const output = await run(sample);
    expect(output.type.id).toBe("jpeg");
    const metadata = await sharp(output.path).metadata();
    expect(metadata).toMatchObject({ format: "jpeg", width: 240, height: 180 });
    expect(metadata.icc).toEqual((await sharp(await image.png().toBuffer()).metadata()).icc);
    const tag = execProgram("exiftool", ["-s3", "-Copyright", output.path], { encoding: "utf8" });
    expect(tag).toBe("Ada\n");
    const shown = await sharp(await image.png().toBuffer())
      .raw()
      .toBuffer();
    const is = await sharp(output.path).raw().toBuffer();
    const sum = is.reduce(
      (total, value, index) => total + Math.abs(value - (shown[index] ?? 0)),
      0,
    );
    expect(sum / is.length).toBeLessThan(4);
  });

  test("HEIC with transparency, as PNG", async () => {
    const image = await flatten(makeTestImage({ channels: 4 }).withIccProfile("p3"));
    const output = await run(await encodeWithVips("heic", image, "--Q", "95"));
    expect([output.type.id, output.extension]).toEqual(["png", "png"]);
    const { samples, width } = await readPixels(output.path);
    const alphaAt = (y: number) => samples[(y * width + 9) * 4 + 3] ?? 0;
    expect(Math.abs(alphaAt(2) - 253)).toBeLessThan(5);
    expect(Math.abs(alphaAt(170) - 110)).toBeLessThan(5);
    expect((await sharp(output.path).metadata()).hasProfile).toBe(true);
  });

  test.each(["jxl", "jp2"] as const)("%s with alpha, without loss", async (type) => {
    const image = await flatten(makeTestImage({ channels: 4 }));
    const output = await run(await encodeWithVips(type, image, "--lossless"));
    expect(output.type.id).toBe("png");
    expect(await difference(output.path, image)).toBeLessThan(2);
  });

  test("JPEG XL of 16 bits", async () => {
    const sample = await encodeWithVips("jxl", makeTestImage({ bits: 16 }), "--lossless");
    const { path } = await run(sample);
    expect((await sharp(path).metadata()).depth).toBe("ushort");
  });

  test("BMP", async () => {
    const image = await flatten(makeTestImage({ width: 99, height: 50 }));
    const output = await run(await makeBmp(image));
    expect(output.type.id).toBe("png");
    expect(await difference(output.path, image)).toBe(0);
  });

  test.each([
    ["a bitmap", [16, 48, 32], 48],
    ["a PNG", [16, 256, 32], 256],
  ] as const)("the largest image of an ICO, %s", async (_, sizes, largest) => {
    const images = await Promise.all(
      sizes.map((size) => flatten(makeTestImage({ width: size, height: size, channels: 4 }))),
    );
    const output = await run(await makeIcon(images));
    const { width, height } = await sharp(output.path).metadata();
    expect([width, height]).toEqual([largest, largest]);
    const expected = images[sizes.indexOf(largest as never)];
    if (expected) expect(await difference(output.path, expected)).toBeLessThan(2);
  });
});

describe("SVG", () => {
  const markup = (attributes: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="50%" height="100%" fill="#c02040"/></svg>`;
  const svg = (text: string) => toSample("svg", Buffer.from(text));

  test("is drawn at its own size, transparent where nothing is drawn", async () => {
    const { path, type } = await run(await svg(markup('width="60" height="40"')));
    const { samples, width, height } = await readPixels(path);
    expect([type.id, width, height]).toEqual(["png", 60, 40]);
    expect([...samples.subarray(0, 4)]).toEqual([0xc0, 0x20, 0x40, 255]);
    expect(samples[(20 * 60 + 50) * 4 + 3]).toBe(0);
  });

  test("is drawn larger, with sharp edges, if a larger image is made of it", async () => {
    const { path } = await run(await svg(markup('width="30" height="20"')), { width: 900 });
    const { samples, width, height } = await readPixels(path);
    expect([width, height]).toEqual([900, 600]);
    const alpha = (x: number) => samples[(300 * width + x) * 4 + 3];
    expect([alpha(448), alpha(451)]).toEqual([255, 0]);
  });

  const halves = '<rect width="1in" height="50%" fill="#c02040"/>';
  test.each([
    ['width="2in" height="1in"', 192, 96],
    ['width="50.8mm" height="72pt" viewBox="0 0 192 96"', 192, 96],
    ['width="5.08cm" height="6pc" viewBox="-0.5 -.5 192 96"', 192, 96],
    ['width="100%" height="100%" viewBox="0 0 192 96"', 192, 96],
    ['width="192" height="96px"', 192, 96],
    ["viewBox='0 0 192 96'", 192, 96],
  ])(
    "with %s is as large as in a browser, and its units stay right when it is enlarged",
    async (attributes, width, height) => {
      const prolog =
        '<?xml version="1.0"?><!-- <svg width="9mm"> --><!DOCTYPE svg [<!ENTITY n "x">]>\n';
      const root = `${prolog}<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${halves}</svg><!-- end -->`;
      for (const scale of [1, 4]) {
        const { path } = await run(await svg(root), { width: width * scale });
        const pixels = await readPixels(path);
        expect([pixels.width, pixels.height]).toEqual([width * scale, height * scale]);
        const alpha = (x: number, y: number) =>
          pixels.samples[(y * scale * pixels.width + x * scale) * 4 + 3];
        expect([alpha(93, 40), alpha(99, 40), alpha(50, 45), alpha(50, 51)]).toEqual([
          255, 0, 255, 0,
        ]);
      }
    },
  );

  test("is drawn as large as the pixel limit allows", async () => {
    const options = { width: 900, limits: { imagePixels: 15_000 } };
    const { path } = await run(await svg(markup('width="300" height="2"')), options);
    const { width = 0, height = 0 } = await sharp(path).metadata();
    expect(width).toBe(900);
    const strip = await run(await svg(markup('width="2" height="300"')), options);
    const narrow = await sharp(strip.path).metadata();
    expect(narrow.width * narrow.height).toBeLessThanOrEqual(15_000);
    expect(narrow.height).toBeGreaterThan(1000);
    expect(width * height).toBeLessThanOrEqual(15_000);
  });

  test("above the pixel limit is too complex", async () => {
    const drawn = run(await svg(markup('width="400" height="400"')), {
      limits: { imagePixels: 100_000 },
    });
    await expect(drawn).rejects.toMatchObject({ code: "too_complex" });
  });

  test("that is damaged is corrupt", async () => {
    const drawn = run(await svg('<svg xmlns="http://www.w3.org/2000/svg" width="9'));
    await expect(drawn).rejects.toMatchObject({ code: "corrupt" });
  });
});

test("an animated AVIF is read as its first frame", async () => {
  const frames = await Promise.all(
    ["#aa3333", "#33aa33"].map(async (color) =>
      toSample("png", await (await flatten(half(color, "#202020"))).png().toBuffer()),
    ),
  );
  const { outputs } = await runOperation(animated, frames, { format: "avif" });
  const { path, type } = await run({ path: outputs[0]?.path ?? "", type: "avif" });
  expect(type.id).toBe("avif");
  expect(await difference(path, await flatten(half("#aa3333", "#202020")))).toBeLessThan(12);
});

describe("camera RAW", () => {
  const photo = () => half("#208040", "#806020", 640, 480).jpeg({ quality: 100 }).toBuffer();
  const noisy = async () => {
    const base = await sharp({
      create: {
        width: 400,
        height: 300,
        channels: 3,
        background: "#444",
        noise: { type: "gaussian", mean: 128, sigma: 50 },
      },
    })
      .jpeg({ quality: 95 })
      .toBuffer();
    return base;
  };

  test("the embedded JPEG is used, upright, with the tags of the file", async () => {
    const sample = await makeDng({ preview: await noisy(), orientation: 6 });
    const { path, type } = await run(sample);
    const { width, height, orientation } = await sharp(path).metadata();
    expect([type.id, width, height, orientation]).toEqual(["jpeg", 400, 300, 6]);
    const model = execProgram("exiftool", ["-s3", "-Model", path], { encoding: "utf8" });
    expect(model).toBe("Camera\n");
  });

  test.each([
    ["develop", true],
    ["preview", false],
  ] as const)("is developed for raw=%s, embedded JPEG: %s", async (raw, hasPreview) => {
    const preview = hasPreview ? { preview: await noisy() } : {};
    const { path } = await run(await makeDng({ ...preview }), { raw });
    const { samples, width, channels } = await readPixels(path);
    expect(width).toBe(128);
    const at = (x: number) => [...samples.subarray((48 * width + x) * channels).subarray(0, 3)];
    const red = at(30);
    const blue = at(98);
    expect((red[0] ?? 0) - (red[2] ?? 0)).toBeGreaterThan(80);
    expect((blue[2] ?? 0) - (blue[0] ?? 0)).toBeGreaterThan(80);
  });

  test("a photograph that is too small to be the picture is not used", async () => {
    const small = (await photo()).subarray(0, 20_000);
    const { path } = await run(await makeDng({ preview: small }));
    expect((await sharp(path).metadata()).width).toBe(128);
  });
});

describe("bad files:", () => {
  const noise = Buffer.from(Array.from({ length: 4000 }, (_, n) => (n * n * 31 + n * 7) & 255));
  const heads = {
    heic: "0000001866747970686569630000000068656963 6d696631".replace(" ", ""),
    jxl: "0000000c4a584c200d0a870a",
    jp2: "0000000c6a5020200d0a870a",
    bmp: "424d0000000000000000360000002800000000010000000100000100180000000000",
    ico: "00000100010010100000010020002800000016000000",
    raw: "49492a0008000000",
  };

  test.each(Object.entries(heads))("%s of noise is corrupt", async (type, head) => {
    const bytes = Buffer.concat([Buffer.from(head, "hex"), noise]);
    const converted = run(await toSample(type as keyof typeof heads, bytes));
    await expect(converted).rejects.toMatchObject({ code: "corrupt" });
  });

  test("an image above the pixel limit is not decoded", async () => {
    const sample = await encodeWithVips("jxl", makeTestImage());
    const converted = run(sample, { limits: { imagePixels: 10_000 } });
    await expect(converted).rejects.toMatchObject({ code: "too_complex" });
  });
});
