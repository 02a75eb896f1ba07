import { execFileSync } from "node:child_process";
import { copyFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { closeWorkerPool } from "#lib/engines/worker/pool.ts";
import { executeSteps } from "#lib/jobs/run/chain.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import type { KeptSteps } from "#lib/operations/execute.ts";
import {
  makeTestFrames,
  makeTestImage,
  readPixels,
  toSample,
} from "#tests/samples/images/images.ts";
import { type Sample, temporaryWorkFolder } from "#tests/support/operation.ts";

afterAll(closeWorkerPool);

type Step = readonly [id: string, params: Record<string, unknown>];

async function run(sample: Sample, steps: readonly Step[]) {
  const { outputs } = (await runChain(sample, steps)).result;
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output;
}

async function runChain(
  sample: Sample,
  steps: readonly Step[],
  parts: Record<string, Sample> = {},
  options: KeptSteps = {},
) {
  const work = temporaryWorkFolder();
  const add = async (given: Sample, name: string) => {
    const type = mediaType(given.type);
    const file = work.input(type.extension);
    await copyFile(given.path, file.path);
    const { size: bytes } = await stat(file.path);
    return { ...file, type, bytes, filename: `${name}.${type.extension}` };
  };
  const input = await add(sample, "photo");
  const files: Record<string, Awaited<ReturnType<typeof add>>> = {};
  for (const [part, file] of Object.entries(parts)) files[part] = await add(file, part);
  const reports: number[] = [];
  const progress = (percent: number) => void reports.push(percent);
  const planned = steps.map(([id, params], index) => {
    const operation = findOperation(id);
    if (!operation) throw new Error(id);
    return { operation, params: operation.params.parse(params), prefix: `operations-${index}-` };
  });
  const { signal } = new AbortController();
  const context = { input, inputs: [input], files, work, progress, signal };
  const result = await executeSteps(planned, context, options);
  return { result, reports, intermediate: (await readdir(join(work.root, "in"))).length };
}

/** Turns that cancel each other out, so that only encoding could change a pixel. */
const turns: readonly Step[] = [
  ["image/rotate", { angle: 90 }],
  ["image/flip", { direction: "horizontal" }],
  ["image/flip", { direction: "horizontal" }],
  ["image/rotate", { angle: -90 }],
];

/** Mean difference of the samples of two images. */
async function difference(one: string, other: string): Promise<number> {
  const [first, second] = await Promise.all([readPixels(one), readPixels(other)]);
  expect([first.width, first.height, first.channels]).toEqual([
    second.width,
    second.height,
    second.channels,
  ]);
  let sum = 0;
  for (const [at, value] of first.samples.entries())
    sum += Math.abs(value - (second.samples[at] ?? 0));
  return sum / first.samples.length;
}

describe("a chain of image operations encodes once, as its input was encoded:", () => {
  const noisy = () =>
    sharp({
      create: {
        width: 320,
        height: 240,
        channels: 3,
        background: "#808080",
        noise: { type: "gaussian", mean: 128, sigma: 40 },
      },
    });
  const rows: readonly [string, MediaTypeId, () => Sharp][] = [
    ["JPEG 4:2:0", "jpeg", () => noisy().jpeg({ quality: 90 })],
    [
      "progressive JPEG 4:4:4",
      "jpeg",
      () => noisy().jpeg({ progressive: true, chromaSubsampling: "4:4:4" }),
    ],
    ["lossy WebP", "webp", () => noisy().webp({ quality: 80 })],
    ["AVIF", "avif", () => noisy().avif({ effort: 1 })],
  ];

  test.each(rows)("%s", async (_, type, encode) => {
    const sample = await toSample(type, await encode().toBuffer());
    const once = await run(sample, [["image/rotate", { angle: 90 }]]);
    const turned = await toSample(type, await sharp(once.path).toBuffer());
    const after = await run(sample, turns);
    const wanted = await sharp(sample.path).metadata();
    const metadata = await sharp(after.path).metadata();
    const facts = ["format", "width", "height", "chromaSubsampling", "isProgressive"] as const;
    for (const fact of facts) expect([fact, metadata[fact]]).toEqual([fact, wanted[fact]]);
    expect(after.encoding).toBeUndefined();
    // The same loss as of one operation, not of four.
    const rotated = await run(turned, [["image/rotate", { angle: -90 }]]);
    expect(await difference(after.path, sample.path)).toBeLessThanOrEqual(
      await difference(rotated.path, sample.path),
    );
  });

  test.each([
    ["16-bit PNG with alpha", "png", () => makeTestImage({ channels: 4, bits: 16 }).png()],
    ["lossless WebP", "webp", () => makeTestImage({ channels: 4 }).webp({ lossless: true })],
    ["gray PNG", "png", () => makeTestImage({ channels: 1 }).png()],
  ] as const)("%s, without loss", async (_, type, encode) => {
    const sample = await toSample(type, await encode().toBuffer());
    const output = await run(sample, turns);
    expect(await difference(output.path, sample.path)).toBe(0);
    const before = await sharp(sample.path).metadata();
    const after = await sharp(output.path).metadata();
    expect([after.format, after.depth]).toEqual([before.format, before.depth]);
  });

  test("profile, EXIF and the orientation stay, a stale preview goes", async () => {
    const image = makeTestImage().withIccProfile("p3");
    const sample = await toSample("jpeg", await image.jpeg().toBuffer());
    const preview = await toSample(
      "jpeg",
      await makeTestImage({ width: 64, height: 48 }).jpeg().toBuffer(),
    );
    const tags = [
      "-IFD0:Copyright=Ada",
      "-IFD0:Orientation#=6",
      `-ThumbnailImage<=${preview.path}`,
    ];
    execFileSync("exiftool", ["-q", "-overwrite_original", ...tags, sample.path]);
    const output = await run(sample, [...turns, ["image/sharpen", { sigma: 1 }]]);
    const metadata = await sharp(output.path).metadata();
    expect(metadata.icc).toEqual((await sharp(sample.path).metadata()).icc);
    const read = ["-s3", "-Copyright", "-ThumbnailLength", output.path];
    expect(execFileSync("exiftool", read, { encoding: "utf8" })).toBe("Ada\n");
    expect([output.width, output.height]).toEqual([180, 240]);
  });
});

test.each<[string, Step, string]>([
  ["to WebP", ["image/convert", { format: "webp" }], "webp"],
  ["to PNG, compressed", ["image/convert", { format: "png" }], "png"],
  ["to JPEG, encoded", ["image/convert", { format: "jpeg" }], "jpeg"],
  ["to a thumbnail", ["image/thumbnail", { width: 60, height: 60 }], "jpeg"],
  ["compressed", ["image/compress", { quality: 60 }], "jpeg"],
])("a chain that ends with a conversion %s", async (_, last, format) => {
  const sample = await toSample("jpeg", await makeTestImage().jpeg().toBuffer());
  const output = await run(sample, [["image/rotate", { angle: 90 }], last]);
  expect((await sharp(output.path).metadata()).format).toBe(format);
  expect((await stat(output.path)).size).toBeLessThan(115_000);
});

test.each<[MediaTypeId, () => Promise<Buffer>]>([
  ["gif", async () => (await makeTestFrames(["#aa3333", "#33aa33"])).gif().toBuffer()],
  ["tiff", () => makeTestImage().tiff({ compression: "lzw" }).toBuffer()],
  ["jpeg", () => makeTestImage().withIccProfile("cmyk").jpeg().toBuffer()],
])("%s that PNG cannot hold is encoded in between", async (type, encode) => {
  const sample = await toSample(type, await encode());
  const output = await run(sample, turns);
  const before = await sharp(sample.path).metadata();
  const after = await sharp(output.path).metadata();
  expect([after.format, after.space, after.pages]).toEqual([
    before.format,
    before.space,
    before.pages,
  ]);
});

test("consecutive operations are one task, each with its own files", async () => {
  const color = (background: string) => sharp({ create: { ...size, channels: 3, background } });
  const size = { width: 40, height: 30 };
  const photo = await toSample("png", await color("#ffffff").png().toBuffer());
  const mark = await toSample("png", await color("#ff0000").png().toBuffer());
  const watermark = { opacity: 1, scale: 1, position: "center" };
  const steps: Step[] = [
    ["image/rotate", { angle: 90 }],
    ["image/watermark-image", watermark],
    ["image/flip", { direction: "horizontal" }],
  ];
  const files = { "operations-1-watermark": mark };
  const { result, reports, intermediate } = await runChain(photo, steps, files);
  const [output] = result.outputs;
  const { samples } = await readPixels(output?.path ?? "");
  expect([...samples.subarray(samples.length / 2, samples.length / 2 + 3)]).toEqual([255, 0, 0]);
  expect(reports).toEqual(reports.toSorted((one, other) => one - other));
  // The photo and the watermark: the images in between have not left the worker.
  expect(intermediate).toBe(2);
});

test("the end of each operation is reported as progress, also if it reports none itself", async () => {
  const sample = await toSample("jpeg", await makeTestImage().jpeg().toBuffer());
  const { reports } = await runChain(sample, [
    ["image/rotate", { angle: 90 }],
    ["image/flip", { direction: "horizontal" }],
    ["pipeline/strip-metadata", {}],
    ["pipeline/file-inspect", {}],
  ]);
  expect(reports).toEqual(reports.toSorted((one, other) => one - other));
  // The first two are one task.
  expect(reports.filter((percent) => percent >= 50)).toEqual(expect.arrayContaining([50, 75]));
});

test("damage is reported by the operation that finds it", async () => {
  const jpeg = await makeTestImage().jpeg().toBuffer();
  const sample = await toSample("jpeg", jpeg.subarray(0, jpeg.length / 2));
  await expect(run(sample, turns)).rejects.toMatchObject({
    code: "corrupt",
    message: expect.stringMatching(/^Operation 1, image\/rotate: the image /),
  });
});

describe("what lies between operations", () => {
  const steps: readonly Step[] = [
    ["image/resize", { width: 90, height: 70, fit: "fill" }],
    ["image/rotate", { angle: 90 }],
    ["image/convert", { format: "webp" }],
    ["image/palette", {}],
  ];
  const toJpeg = async () =>
    toSample("jpeg", await makeTestImage().jpeg({ chromaSubsampling: "4:4:4" }).toBuffer());

  test("is kept on request, encoded as the image is, and changes no result", async () => {
    const sample = await toJpeg();
    const { result: plain } = await runChain(sample, steps);
    const { result } = await runChain(sample, steps, {}, { keepsOutputs: true });
    expect(result.result).toEqual(plain.result);
    expect(result.steps.map(({ output }) => output?.extension)).toEqual([
      "jpg",
      "jpg",
      "webp",
      undefined,
    ]);
    const found = await Promise.all(
      result.steps.slice(0, 3).map(async ({ output }) => sharp(output?.path).metadata()),
    );
    expect(found.map(({ format, width, height }) => [format, width, height])).toEqual([
      ["jpeg", 90, 70],
      ["jpeg", 70, 90],
      ["webp", 70, 90],
    ]);
    expect(found[0]?.chromaSubsampling).toBe("4:4:4");
    expect(result.steps[0]?.output).toMatchObject({ width: 90, height: 70 });
    expect(result.steps[0]?.output?.encoding).toBeUndefined();
  });

  test("is not kept otherwise; every operation has its time", async () => {
    const { result } = await runChain(await toJpeg(), steps);
    expect(result.steps).toHaveLength(4);
    for (const { ms, output } of result.steps) {
      expect(ms).toBeGreaterThan(0);
      expect(output).toBeUndefined();
    }
  });
});
