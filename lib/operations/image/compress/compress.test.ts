import { stat } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { sniffFile } from "#lib/formats/sniff/sniff.ts";
import { compress } from "#lib/operations/image/compress/index.ts";
import {
  makeTestFrames,
  makeTestImage,
  readPixels,
  toSample,
} from "#tests/samples/images/images.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const photo = join(import.meta.dirname, "../../../../public/samples/inputs/photo.jpg");

/** A photograph, decoded. It is smaller, so that the blocks of its JPEG do not count. */
const makePhoto = (width = 300) =>
  sharp(photo)
    .resize(width)
    .png()
    .toBuffer()
    .then((png) => sharp(png));

type Encode = (image: Sharp) => Sharp;
const formats: Readonly<Record<string, Encode>> & { readonly png: Encode } = {
  jpeg: (image) => image.jpeg({ quality: 97, chromaSubsampling: "4:4:4" }),
  png: (image) => image.png(),
  webp: (image) => image.webp({ quality: 98 }),
  avif: (image) => image.avif({ quality: 90, effort: 2 }),
  tiff: (image) => image.tiff({ compression: "lzw" }),
};

async function makeSample(type: string, image?: Sharp): Promise<Sample> {
  const encode = formats[type] ?? formats.png;
  return toSample(type as Sample["type"], await encode(image ?? (await makePhoto())).toBuffer());
}

async function run(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(compress, sample, params);
  const [output] = outputs;
  if (!output || outputs.length > 1) throw new Error("not one output");
  const { size: bytes } = await stat(output.path);
  const before = (await stat(sample.path)).size;
  const type = (await sniffFile(output.path)).id;
  expect(result).toMatchObject({ bytes, bytes_before: before, format: type });
  return { ...output, bytes, before, type, reported: Number(result?.ssim) };
}

/** SSIM of the brightness, by ffmpeg. */
async function measureSsim(before: string, after: string): Promise<number> {
  const toPng = async (path: string) => {
    const { path: png } = await toSample("png", await sharp(path).autoOrient().png().toBuffer());
    return png;
  };
  const filter = "[0]format=yuv420p[a];[1]format=yuv420p[b];[a][b]ssim=stats_file=-";
  const files = ["-i", await toPng(before), "-i", await toPng(after)];
  const args = ["-v", "error", ...files, "-lavfi", filter, "-f", "null", "-"];
  return Number(/Y:([\d.]+)/.exec(execProgram("ffmpeg", args).toString())?.[1]);
}

describe("ssim", () => {
  test.each(["jpeg", "webp", "avif"])(
    "%s: at least as similar as asked, and smaller than a JPEG of quality 85",
    async (format) => {
      const sample = await makeSample("png", await makePhoto());
      const output = await run(sample, { format });
      const ssim = await measureSsim(sample.path, output.path);
      expect(ssim).toBeGreaterThanOrEqual(0.98);
      expect(Math.abs(ssim - output.reported)).toBeLessThan(0.008);
      const plain = sharp(sample.path).jpeg({ quality: 85 });
      expect(output.bytes).toBeLessThan((await plain.toBuffer()).length);
    },
  );

  test("more similar files are larger, and never larger than the original", async () => {
    const sample = await makeSample("jpeg");
    const low = await run(sample, { ssim: 0.9 });
    const high = await run(sample, { ssim: 0.995 });
    expect(await measureSsim(sample.path, high.path)).toBeGreaterThanOrEqual(0.995);
    expect(low.bytes).toBeLessThan(high.bytes);
    expect(high.bytes).toBeLessThanOrEqual(high.before);
    const exact = await run(sample, { ssim: 1 });
    expect(exact).toMatchObject({ bytes: exact.before, reported: 1 });
  });

  test.each(["png", "tiff"])("%s stays %s", async (type) => {
    const sample = await makeSample(type, makeTestImage());
    const output = await run(sample);
    expect(output).toMatchObject({ type, width: 240, height: 180 });
    expect(output.bytes).toBeLessThan(output.before);
    expect(await measureSsim(sample.path, output.path)).toBeGreaterThanOrEqual(0.98);
  });
});

describe("max_bytes", () => {
  test.each([
    ["jpeg", 4000],
    ["jpeg", 9000],
    ["webp", 4000],
    ["avif", 4000],
    ["png", 15_500],
  ])("%s of at most %d bytes uses at least 90 % of them", async (format, maxBytes) => {
    const output = await run(await makeSample("png"), { format, max_bytes: maxBytes });
    expect(output).toMatchObject({ type: format, width: 300, height: 200 });
    expect(output.bytes).toBeLessThanOrEqual(maxBytes);
    expect(output.bytes).toBeGreaterThanOrEqual(maxBytes * 0.9);
  });

  test("a file that is small enough is returned as it is", async () => {
    const sample = await makeSample("jpeg");
    const output = await run(sample, { max_bytes: 10_000_000 });
    expect(output).toMatchObject({ bytes: output.before, reported: 1 });
  });

  test.each(["jpeg", "png", "tiff"])(
    "a %s that fits at no quality gets smaller sides",
    async (type) => {
      const width = type === "jpeg" ? 450 : 300;
      const large = await makePhoto(width);
      const output = await run(await makeSample(type, large), { max_bytes: 1000 });
      expect(output.type).toBe(type);
      expect(output.bytes).toBeLessThanOrEqual(1000);
      expect(output.width).toBeLessThan(width);
      expect(Math.abs((output.width ?? 0) / (output.height ?? 1) - 1.5)).toBeLessThan(0.06);
    },
  );

  test("metadata that leaves no room is removed, and other metadata stays", async () => {
    const sample = await makeSample("jpeg");
    const tags = ["-IFD0:Copyright=Ada", `-IFD0:ImageDescription=${"x".repeat(9000)}`];
    await exiftool("-q", "-overwrite_original", ...tags, sample.path);
    const read = (path: string) => exiftool("-s3", "-Copyright", path);
    const small = await run(sample, { max_bytes: 8000 });
    expect([small.bytes <= 8000, small.width, await read(small.path)]).toEqual([true, 300, ""]);
    expect(await read((await run(sample, { quality: 60 })).path)).toBe("Ada\n");
  });

  test("best is the most similar file that fits", async () => {
    const sample = await makeSample("png", await makePhoto(160));
    const best = await run(sample, { format: "best", max_bytes: 1600 });
    expect(best.bytes).toBeLessThanOrEqual(1600);
    for (const format of ["jpeg", "webp"]) {
      const other = await run(sample, { format, max_bytes: 1600 });
      expect(best.reported).toBeGreaterThanOrEqual(other.reported);
    }
  });
});

test("quality: lower is smaller, in every format", async () => {
  for (const type of ["jpeg", "png", "webp", "avif", "tiff"]) {
    const sample = await makeSample(type, await makePhoto(160));
    const low = await run(sample, { quality: 25 });
    const high = await run(sample, { quality: 80 });
    expect([low.type, high.type]).toEqual([type, type]);
    expect(low.bytes).toBeLessThan(high.bytes);
    expect(high.bytes).toBeLessThanOrEqual(high.before);
  }
});

describe("best", () => {
  test("is the smallest of the formats", async () => {
    for (const image of [
      await makePhoto(80),
      makeTestImage({ channels: 4, width: 60, height: 45 }),
    ]) {
      const sample = await makeSample("png", image);
      const best = await run(sample, { format: "best" });
      const others = [];
      for (const format of ["avif", "webp", "png", "jpeg"]) {
        if (format === "jpeg" && (await sharp(sample.path).metadata()).hasAlpha) continue;
        others.push((await run(sample, { format })).bytes);
      }
      expect(best.bytes).toBe(Math.min(...others));
    }
  });

  test("an animation stays animated", async () => {
    const animated = { delay: [100, 250, 70], loop: 3 };
    const frames = await makeTestFrames(["#aa3333", "#33aa33", "#3333aa"]);
    const sample = await toSample("gif", await frames.gif({ ...animated, effort: 1 }).toBuffer());
    for (const format of [undefined, "best", "webp"]) {
      const { path } = await run(sample, { format });
      expect(await sharp(path, { pages: -1 }).metadata()).toMatchObject({ pages: 3, ...animated });
    }
  });
});

describe("what stays", () => {
  test("upright pixels, profile and transparency", async () => {
    const photograph = (await makePhoto(240)).withIccProfile("p3").withMetadata({ orientation: 6 });
    const turned = await toSample("jpeg", await photograph.jpeg({ quality: 98 }).toBuffer());
    const output = await run(turned, { quality: 50 });
    expect([output.width, output.height]).toEqual([160, 240]);
    const { icc, width, orientation = 1 } = await sharp(output.path).metadata();
    expect([icc !== undefined, width, orientation]).toEqual([true, 160, 1]);
    const clear = await makeSample("png", makeTestImage({ channels: 4 }));
    for (const format of ["png", "webp", "avif"]) {
      const { path } = await run(clear, { format, quality: 60 });
      const { channels, samples } = await readPixels(path);
      expect(channels).toBe(4);
      expect(Math.abs((samples.at(-1) ?? 0) - 103)).toBeLessThan(16);
    }
  });

  test("16 bits in a PNG, without loss", async () => {
    const sample = await makeSample(
      "png",
      makeTestImage({ bits: 16 }).png({ compressionLevel: 1 }),
    );
    const { path } = await run(sample);
    expect((await readPixels(path)).samples).toEqual((await readPixels(sample.path)).samples);
  });
});

test("a photograph that is searched on tiles still meets its goals", {
  timeout: 60_000,
}, async () => {
  const large = await sharp(photo)
    // Just over 1.5 megapixels.
    .resize(1300, 1160, { fit: "fill", kernel: "nearest" })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const sample = await toSample("png", large);
  const similar = await run(sample, { format: "jpeg" });
  expect(await measureSsim(sample.path, similar.path)).toBeGreaterThanOrEqual(0.98);
  const fitted = await run(sample, { format: "jpeg", max_bytes: 150_000 });
  expect(fitted.bytes).toBeLessThanOrEqual(150_000);
  expect(fitted.bytes).toBeGreaterThanOrEqual(135_000);
});

describe("bad requests", () => {
  test.each([{}, { max_bytes: 1_000_000 }, { quality: 50 }])(
    "%j of a truncated JPEG",
    async (params) => {
      const bytes = await (await makePhoto(120)).jpeg().toBuffer();
      const sample = await toSample("jpeg", bytes.subarray(0, bytes.length / 2));
      await expect(runOperation(compress, sample, params)).rejects.toMatchObject({
        code: "corrupt",
      });
    },
  );

  test.each([
    { quality: 50, max_bytes: 5000 },
    { ssim: 0.9, max_bytes: 5000 },
    { quality: 0 },
    { ssim: 1.1 },
    { max_bytes: 10 },
    { format: "bmp" },
  ])("%j is rejected", (params) => {
    expect(compress.params.safeParse(params).success).toBe(false);
  });

  test("an animation whose frames cannot fit", async () => {
    const colors = Array.from(
      { length: 60 },
      (_, frame) => `#${(frame * 4 + 16).toString(16)}3333`,
    );
    const frames = await makeTestFrames(colors, 16, 16);
    const sample = await toSample(
      "gif",
      await frames.gif({ keepDuplicateFrames: true }).toBuffer(),
    );
    const result = runOperation(compress, sample, { max_bytes: 1000 });
    await expect(result).rejects.toMatchObject({ code: "too_large" });
  });
});
