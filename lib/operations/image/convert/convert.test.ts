import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { sniffFile } from "#lib/formats/sniff/sniff.ts";
import { convert } from "#lib/operations/image/convert/index.ts";
import { makeGrayProfile } from "#tests/samples/images/gray-profile.ts";
import { makeTiff } from "#tests/samples/images/image-bytes.ts";
import {
  makeTestFrames,
  makeTestImage,
  readPixels,
  type TestImageOptions,
  toSample,
} from "#tests/samples/images/images.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const formats = ["jpeg", "png", "webp", "avif", "gif", "tiff", "jxl"] as const;
const run = (...args: [command: string, ...args: string[]]) =>
  execProgram(args[0], args.slice(1), { encoding: "utf8" });

async function convertTo(
  sample: Sample,
  params: { readonly format: string; readonly [name: string]: unknown },
) {
  const { outputs } = await runOperation(convert, sample, params);
  const [output] = outputs;
  if (!output || outputs.length > 1) throw new Error("not one output");
  expect((await sniffFile(output.path)).id).toBe(params.format);
  return output;
}

/** A path that other tools read: JPEG XL is decoded by djxl. */
function decodable(path: string, extension = "png"): string {
  if (!path.endsWith(".jxl")) return path;
  const decoded = join(dirname(path), `decoded.${extension}`);
  run("djxl", path, decoded);
  return decoded;
}

async function makeSample(type: "png" | "jpeg" | "webp" | "tiff", options?: TestImageOptions) {
  return toSample(type, await makeTestImage(options).toFormat(type).toBuffer());
}

/** The mean difference of two images of one size, as a share of the range. */
async function meanDifference(before: string, after: string): Promise<number> {
  const decode = (path: string) =>
    sharp(path).removeAlpha().toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  const left = await decode(before);
  const right = await decode(after);
  expect([right.info.width, right.info.height]).toEqual([left.info.width, left.info.height]);
  const sum = left.data.reduce(
    (total, value, i) => total + Math.abs(value - (right.data[i] ?? 0)),
    0,
  );
  return sum / left.data.length / 255;
}

test.each(formats)("every format becomes %s: same picture, size reported", async (format) => {
  // JPEG XL and AVIF have encoders of their own; all others are written by one.
  const isOther = ["png", "jxl", "avif"].includes(format);
  for (const type of isOther ? (["jpeg", "webp", "tiff"] as const) : (["jpeg"] as const)) {
    const sample = await makeSample(type, { width: 97, height: 61 });
    const output = await convertTo(sample, { format });
    expect(output).toMatchObject({ width: 97, height: 61 });
    expect(await meanDifference(sample.path, decodable(output.path))).toBeLessThan(0.025);
  }
});

test("a file that already has the format is returned as it is; quality encodes it again", async () => {
  const sample = await makeSample("jpeg");
  const same = await convertTo(sample, { format: "jpeg" });
  expect(await readFile(same.path)).toEqual(await readFile(sample.path));
  const small = await convertTo(sample, { format: "jpeg", quality: 20 });
  const large = await convertTo(sample, { format: "jpeg", quality: 95 });
  const smallBytes = await readFile(small.path);
  const largeBytes = await readFile(large.path);
  expect(smallBytes.length).toBeLessThan(largeBytes.length / 2);
});

test.each(["jpeg", "webp", "avif", "jxl"])("quality of %s", async (format) => {
  const sample = await makeSample("png", { width: 320, height: 240 });
  const low = await convertTo(sample, { format, quality: 20 });
  const high = await convertTo(sample, { format, quality: 92 });
  expect((await readFile(low.path)).length).toBeLessThan((await readFile(high.path)).length);
  const difference = (path: string) => meanDifference(sample.path, decodable(path));
  expect(await difference(high.path)).toBeLessThan(await difference(low.path));
});

describe("without loss", () => {
  test.each(["png", "tiff", "webp", "avif", "jxl"])("%s keeps every pixel", async (format) => {
    const sample = await makeSample("png", { channels: 4 });
    const { path } = await convertTo(sample, { format, lossless: !/png|tiff/.test(format) });
    const before = await readPixels(sample.path);
    const after = await readPixels(decodable(path));
    expect(after.samples).toEqual(before.samples);
  });

  test("a JPEG XL holds the JPEG, which can be restored bit by bit", async () => {
    const sample = await makeSample("jpeg");
    const { path } = await convertTo(sample, { format: "jxl" });
    expect((await readFile(path)).length).toBeLessThan((await readFile(sample.path)).length);
    expect(await readFile(decodable(path, "jpg"))).toEqual(await readFile(sample.path));
  });

  test("jpeg and gif are rejected", () => {
    for (const format of ["jpeg", "gif"]) {
      const { error } = convert.params.safeParse({ format, lossless: true });
      expect(error?.issues[0]?.path).toEqual(["lossless"]);
    }
  });
});

test("transparency stays, and gets the background where the format has none", async () => {
  const half = { width: 40, height: 20, channels: 4, background: "#ff000000" } as const;
  const opaque = { ...half, width: 20, background: "#0000ff" } as const;
  const image = sharp({ create: half }).composite([{ input: { create: opaque }, left: 0, top: 0 }]);
  const sample = await toSample("png", await image.png().toBuffer());
  for (const format of ["png", "webp", "avif", "gif", "tiff", "jxl"]) {
    const { path } = await convertTo(sample, { format, quality: 90 });
    const { samples, channels } = await readPixels(decodable(path));
    expect([channels, samples[3], samples[30 * 4 + 3]]).toEqual([4, 255, 0]);
  }
  for (const [background, expected] of [
    [undefined, [255, 255, 255]],
    ["#00ff00", [0, 255, 0]],
  ] as const) {
    const { path } = await convertTo(sample, { format: "jpeg", quality: 100, background });
    const { samples, channels } = await readPixels(path);
    const [red = 0, green = 0, blue = 0] = samples.subarray(34 * channels, 35 * channels);
    for (const [channel, value] of [red, green, blue].entries()) {
      expect(Math.abs(value - (expected[channel] ?? 0))).toBeLessThanOrEqual(3);
    }
  }
});

describe("depth and color", () => {
  test("a transparent CMYK image is on the background as JPEG", async () => {
    // Five channels of 8 bits, the last of which is alpha; all zero.
    const side = 16;
    const pixels = Buffer.alloc(side * side * 5);
    const bits = Buffer.alloc(10, Buffer.from([8, 0]));
    const tiff = makeTiff(Buffer.concat([pixels, bits]), [
      [256, 3, 1, side],
      [257, 3, 1, side],
      [258, 3, 5, 8 + pixels.length],
      [259, 3, 1, 1],
      [262, 3, 1, 5],
      [273, 4, 1, 8],
      [277, 3, 1, 5],
      [278, 3, 1, side],
      [279, 4, 1, pixels.length],
      [338, 3, 1, 2],
    ]);
    expect(await sharp(tiff).metadata()).toMatchObject({ space: "cmyk", channels: 5 });
    const { path } = await convertTo(await toSample("tiff", tiff), {
      format: "jpeg",
      background: "#20c040",
    });
    const { channels } = await sharp(path).stats();
    const means = channels.map(({ mean }) => Math.round(mean));
    for (const [index, value] of [0x20, 0xc0, 0x40].entries()) {
      expect(Math.abs((means[index] ?? 0) - value)).toBeLessThan(4);
    }
  });

  test.each(["png", "tiff", "jxl"])("16 bits stay 16 in %s", async (format) => {
    const sample = await makeSample("png", { bits: 16 });
    const { path } = await convertTo(sample, { format, lossless: format === "jxl" });
    const before = await readPixels(sample.path);
    const after = await readPixels(decodable(path));
    expect(after.samples).toBeInstanceOf(Uint16Array);
    expect(after.samples).toEqual(before.samples);
  });

  test.each([2, 4] as const)("16 bits of %i channels with alpha stay in jxl", async (channels) => {
    const sample = await makeSample("png", { bits: 16, channels });
    const { path } = await convertTo(sample, { format: "jxl", lossless: true });
    const after = await readPixels(decodable(path));
    expect(after.samples).toEqual((await readPixels(sample.path)).samples);
  });

  test("16 bits become 10 in AVIF and 8 in JPEG, WebP and GIF; gray stays gray in JPEG", async () => {
    const sample = await makeSample("png", { bits: 16 });
    const avif = await convertTo(sample, { format: "avif" });
    expect((await sharp(avif.path).metadata()).bitsPerSample).toBe(10);
    for (const format of ["jpeg", "webp", "gif"]) {
      const { path } = await convertTo(sample, { format });
      expect(await meanDifference(sample.path, path)).toBeLessThan(0.025);
    }
    const gray = await makeSample("png", { channels: 1, bits: 16 });
    const { path } = await convertTo(gray, { format: "jpeg" });
    expect(await sharp(path).metadata()).toMatchObject({ space: "b-w", channels: 1 });
  });

  test.each(formats)("a CMYK JPEG becomes %s in the right colors", async (format) => {
    const pixels = makeTestImage().toColourspace("cmyk").withIccProfile("cmyk");
    const sample = await toSample("jpeg", await pixels.jpeg().toBuffer());
    const { path } = await convertTo(sample, { format, quality: 90 });
    expect(await meanDifference(sample.path, decodable(path))).toBeLessThan(0.03);
  });

  test.each(formats)(
    "the profile stays in %s; GIF, which has none, gets its colors",
    async (format) => {
      const pixels = sharp({
        create: { width: 16, height: 16, channels: 3, background: "#10ff20" },
      });
      const bytes = await pixels.withIccProfile("p3").png().toBuffer();
      const sample = await toSample("png", bytes);
      const { path } = await convertTo(sample, { format, quality: 95 });
      const { icc } = await sharp(decodable(path)).metadata();
      expect(icc === undefined).toBe(format === "gif");
      expect(await meanDifference(sample.path, decodable(path))).toBeLessThan(0.03);
    },
  );
});

test.each(formats)("a gray image with a profile has its brightness as %s", async (format) => {
  // Only its content counts.
  const { path: profile } = await toSample("unknown", makeGrayProfile());
  const gray = sharp({ create: { width: 9, height: 9, channels: 3, background: "#646464" } });
  const dark = gray.toColourspace("b-w").withIccProfile(profile).png();
  const sample = await toSample("png", await dark.toBuffer());
  expect((await readPixels(sample.path)).samples[0]).toBeLessThan(50);
  const { path } = await convertTo(sample, { format, quality: 95 });
  expect(await meanDifference(sample.path, decodable(path))).toBeLessThan(0.01);
});

test.each(["png", "tiff"] as const)("a GIF of a %s with 16 bits has its colors", async (type) => {
  const green = sharp({ create: { width: 9, height: 9, channels: 3, background: "#33aa66" } });
  const deep = green.toColourspace("rgb16").toFormat(type);
  const sample = await toSample(type, await deep.toBuffer());
  const { path } = await convertTo(sample, { format: "gif" });
  const { samples } = await readPixels(path);
  expect([...samples.subarray(0, 3)]).toEqual([0x33, 0xaa, 0x66]);
});

describe("orientation and metadata", () => {
  test.each(formats)("every EXIF orientation is upright in %s", async (format) => {
    for (const orientation of ["jpeg", "jxl"].includes(format) ? [2, 6, 7] : [7]) {
      const sample = await makeSample("jpeg", { width: 48, height: 32 });
      await exiftool("-q", "-overwrite_original", `-Orientation#=${orientation}`, sample.path);
      const expected = await sharp(sample.path).autoOrient().png().toBuffer();
      const { path, width, height } = await convertTo(sample, { format });
      const decoded = decodable(path);
      const reference = await toSample("png", expected);
      const shown = await toSample("png", await sharp(decoded).autoOrient().png().toBuffer());
      expect([width, height]).toEqual(orientation > 4 ? [32, 48] : [48, 32]);
      expect(await meanDifference(reference.path, shown.path)).toBeLessThan(0.03);
    }
  });

  test.each([
    ["jpeg", "png"],
    ["png", "jpeg"],
    ["jpeg", "webp"],
    ["webp", "avif"],
    ["jpeg", "tiff"],
    ["tiff", "png"],
    ["jpeg", "jpeg"],
  ] as const)("EXIF and XMP of a %s stay in the %s", async (type, format) => {
    const sample = await makeSample(type);
    const tags = ["-IFD0:Copyright=Ada", "-XMP-dc:Title=Mill", "-ExifIFD:ISO=400"];
    await exiftool("-q", "-overwrite_original", ...tags, sample.path);
    const { path } = await convertTo(sample, { format, quality: 80 });
    const read = await exiftool("-s3", "-IFD0:Copyright", "-XMP-dc:Title", "-ISO", path);
    expect(read).toBe("Ada\nMill\n400\n");
  });

  test("a JPEG XL has the EXIF data of a PNG", async () => {
    const sample = await makeSample("png");
    await exiftool("-q", "-overwrite_original", "-IFD0:Copyright=Ada", sample.path);
    const { path } = await convertTo(sample, { format: "jxl" });
    expect(await exiftool("-s3", "-IFD0:Copyright", path)).toBe("Ada\n");
    decodable(path);
  });
});

describe("animations", () => {
  const animated = { delay: [100, 250, 70], loop: 3 };
  const colors = ["#aa3333", "#33aa33", "#3333aa"];
  const makeAnimation = async (type: "gif" | "webp") =>
    toSample(type, await (await makeTestFrames(colors))[type](animated).toBuffer());

  test.each([
    ["gif", "webp"],
    ["webp", "gif"],
  ] as const)("a %s stays animated as %s", async (type, format) => {
    const { path } = await convertTo(await makeAnimation(type), { format });
    const metadata = await sharp(path, { pages: -1 }).metadata();
    expect(metadata).toMatchObject({ pages: 3, width: 120, pageHeight: 80, ...animated });
    const { samples, channels } = await readPixels(path);
    for (const [page, color] of colors.entries()) {
      const start = ((page * 80 + 40) * 120 + 90) * channels;
      for (const [channel, value] of [...samples.subarray(start, start + 3)].entries()) {
        const wanted = Number.parseInt(color.slice(1 + channel * 2, 3 + channel * 2), 16);
        expect(Math.abs(value - wanted)).toBeLessThan(12);
      }
    }
  });

  test.each(["gif", "webp"] as const)("a %s stays animated as JPEG XL", async (type) => {
    const { path } = await convertTo(await makeAnimation(type), { format: "jxl" });
    const apng = decodable(path, "apng");
    const probe = ["-v", "error", "-count_frames", "-show_entries"];
    const frames = run("ffprobe", ...probe, "frame=pkt_duration_time", "-of", "csv=p=0", apng);
    const delays = frames
      .trim()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => Number.parseFloat(line) * 1000);
    expect(delays.map((delay) => Math.round(delay / 10) * 10)).toEqual(animated.delay);
  });

  test("a GIF stays animated as AVIF", async () => {
    const { path } = await convertTo(await makeAnimation("gif"), { format: "avif", quality: 80 });
    // The delays together, and three times as long with its loops.
    const tags = await exiftool(
      "-s3",
      "-n",
      "-MediaDuration",
      "-TrackDuration",
      "-MajorBrand",
      path,
    );
    expect(tags.trim().split("\n")).toEqual(["0.42", "1.26", "avis"]);
  });

  test.each(["gif", "webp", "jxl"])("a turned WebP is upright as %s", async (format) => {
    const sample = await makeAnimation("webp");
    await exiftool("-q", "-overwrite_original", "-IFD0:Orientation#=6", sample.path);
    const output = await convertTo(sample, { format, quality: 90 });
    expect([output.width, output.height]).toEqual([80, 120]);
    const shown = decodable(output.path, "apng");
    const still = await toSample("png", await sharp(shown).autoOrient().png().toBuffer());
    const { samples, width, channels } = await readPixels(still.path);
    // The dark left half is on top.
    const redAt = (y: number) => samples[(y * width + 40) * channels] ?? 0;
    expect(width).toBe(80);
    expect(Math.abs(redAt(30) - 0x20)).toBeLessThan(16);
    expect(Math.abs(redAt(90) - 0xaa)).toBeLessThan(16);
  });

  test.each(["jpeg", "png"])("as %s, an animation is its first frame", async (format) => {
    const output = await convertTo(await makeAnimation("gif"), { format });
    expect(output).toMatchObject({ width: 120, height: 80 });
    const { samples, channels, height } = await readPixels(output.path);
    expect(height).toBe(80);
    const start = (40 * 120 + 90) * channels;
    expect(Math.abs((samples[start] ?? 0) - 0xaa)).toBeLessThan(6);
  });

  test("frames become pages of a TIFF; of its pages, other formats get the first", async () => {
    const { path } = await convertTo(await makeAnimation("gif"), { format: "tiff" });
    expect((await sharp(path).metadata()).pages).toBe(3);
    const webp = await convertTo({ path, type: "tiff" }, { format: "webp" });
    expect((await sharp(webp.path).metadata()).pages ?? 1).toBe(1);
  });
});

test.each([
  ["jpeg", "isProgressive"],
  ["png", "isProgressive"],
] as const)("progressive %s", async (format, property) => {
  const sample = await makeSample("webp");
  for (const progressive of [true, false]) {
    const { path } = await convertTo(sample, { format, progressive });
    expect((await sharp(path).metadata())[property]).toBe(progressive);
  }
});

describe("bad files", () => {
  test.each(formats)("a truncated JPEG is damaged, as %s", async (format) => {
    const bytes = await makeTestImage().jpeg().toBuffer();
    const sample = await toSample("jpeg", bytes.subarray(0, bytes.length / 2));
    await expect(runOperation(convert, sample, { format })).rejects.toMatchObject({
      code: "corrupt",
    });
  });

  test("too many frames, too large for the format", async () => {
    const frames = await makeTestFrames(["#aa3333", "#33aa33", "#3333aa"]);
    const sample = await toSample("gif", await frames.gif().toBuffer());
    const limited = [{}, new AbortController().signal, { imageFrames: 2 }] as const;
    const animated = runOperation(convert, sample, { format: "webp" }, ...limited);
    await expect(animated).rejects.toMatchObject({ code: "too_complex" });
    const wide = sharp({ create: { width: 17_000, height: 2, channels: 3, background: "#333" } });
    const strip = await toSample("png", await wide.png().toBuffer());
    for (const format of ["webp", "avif"]) {
      const converted = runOperation(convert, strip, { format });
      await expect(converted).rejects.toMatchObject({ code: "too_complex" });
    }
  });

  test.each([
    { format: "bmp" },
    { format: "png", quality: 0 },
    { format: "png", quality: 101 },
    {},
  ])("rejects %j", (params) => {
    expect(convert.params.safeParse(params).success).toBe(false);
  });
});
