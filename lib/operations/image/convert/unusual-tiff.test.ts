import sharp from "sharp";
import { expect, test } from "vitest";
import { convert } from "#lib/operations/image/convert/index.ts";
import { resize } from "#lib/operations/image/resize/index.ts";
import { roundCorners } from "#lib/operations/image/round-corners/index.ts";
import { fileInspect } from "#lib/operations/pipeline/file-inspect/index.ts";
import { makeTiff } from "#tests/samples/images/image-bytes.ts";
import { toSample } from "#tests/samples/images/images.ts";
import { runOperation } from "#tests/support/operation.ts";

const size = 16;

interface Samples {
  /** Of one pixel: all have the same. */
  readonly pixel: Buffer;
  readonly channels: number;
  readonly bits: number;
  readonly photometric: number;
  /** What the channels after the colors are. */
  readonly extra?: readonly number[];
  /** 1: unsigned, 2: signed, 3: floating point. */
  readonly format?: 1 | 2 | 3;
}

/** An uncompressed TIFF of `size` × `size` pixels. */
function tiffOf({ pixel, channels, bits, photometric, extra = [], format = 1 }: Samples) {
  const pixels = Buffer.alloc(size * size * pixel.length, pixel);
  const list = (values: readonly number[]) => Buffer.from(Uint16Array.from(values).buffer);
  const depths = list(Array.from({ length: channels }, () => bits));
  const formats = list(Array.from({ length: channels }, () => format));
  const at = 8 + pixels.length;
  const place = (values: Buffer, start: number) =>
    values.length <= 4 ? values.readUIntLE(0, values.length) : start;
  const data = Buffer.concat([pixels, depths, formats, list(extra)]);
  const tags = makeTiff(data, [
    [256, 3, 1, size],
    [257, 3, 1, size],
    [258, 3, channels, place(depths, at)],
    [259, 3, 1, 1],
    [262, 3, 1, photometric],
    [273, 4, 1, 8],
    [277, 3, 1, channels],
    [278, 3, 1, size],
    [279, 4, 1, pixels.length],
    ...(extra.length > 0
      ? [[338, 3, extra.length, place(list(extra), at + 4 * channels)] as const]
      : []),
    [339, 3, channels, place(formats, at + 2 * channels)],
  ]);
  return toSample("tiff", tags);
}

const rgb = { pixel: Buffer.from([200, 100, 50, 255, 90]), channels: 5, bits: 8, photometric: 2 };

test.each([
  ["RGB with two selections", { ...rgb, extra: [0, 0] }, 3, [200, 100, 50]],
  ["RGB with alpha and a selection", { ...rgb, extra: [2, 0] }, 4, [200, 100, 50, 255]],
  [
    "gray with three selections",
    { pixel: Buffer.from([80, 1, 2, 3]), channels: 4, bits: 8, photometric: 1, extra: [0, 0, 0] },
    3,
    [80, 80, 80],
  ],
  [
    "16 bits",
    {
      pixel: Buffer.from(Uint16Array.from([51_400, 25_700, 12_850, 9, 9]).buffer),
      channels: 5,
      bits: 16,
      photometric: 2,
      extra: [0, 0],
    },
    3,
    [200, 100, 50],
  ],
] as const)("%s has the channels of an image, with a warning", async (_, samples, count, color) => {
  const sample = await tiffOf(samples);
  for (const [operation, params] of [
    [convert, { format: "png" }],
    [resize, { width: 8 }],
  ] as const) {
    const { outputs, warnings } = await runOperation(operation, sample, params);
    expect(warnings).toEqual([expect.stringMatching(/extra channels? (was|were) left out/)]);
    const image = sharp(outputs[0]?.path).toColourspace("srgb").raw({ depth: "uchar" });
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    expect([info.channels, ...data.subarray(0, count)]).toEqual([count, ...color]);
  }
});

test("the corners of an image with further channels are rounded", async () => {
  const { outputs } = await runOperation(roundCorners, await tiffOf({ ...rgb, extra: [0, 0] }), {
    radius: 4,
  });
  const { data } = await sharp(outputs[0]?.path).raw().toBuffer({ resolveWithObject: true });
  expect([data[3], ...data.subarray(8 * size * 4 + 32, 8 * size * 4 + 36)]).toEqual([
    0, 200, 100, 50, 255,
  ]);
});

test.each([
  ["32-bit floating point", { pixel: Buffer.from([0, 0, 0, 0x3f]), bits: 32, format: 3 }],
  ["32 bits", { pixel: Buffer.from([0, 0, 0, 0x80]), bits: 32 }],
  ["signed 16 bits", { pixel: Buffer.from([0, 0x20]), bits: 16, format: 2 }],
] as const)("gray of %s is an error that says what to do", async (_, samples) => {
  const sample = await tiffOf({ channels: 1, photometric: 1, ...samples });
  await expect(runOperation(convert, sample, { format: "png" })).rejects.toMatchObject({
    code: "unsupported_type",
    message: expect.stringContaining("8 or 16 bits"),
  });
});

test("CMYK with 16 bits is converted by its profile", async () => {
  const pixel = Buffer.from(Uint16Array.from([0, 65_535, 65_535, 0]).buffer);
  const sample = await tiffOf({ pixel, channels: 4, bits: 16, photometric: 5 });
  const { outputs } = await runOperation(convert, sample, { format: "png" });
  const [red = 0, green = 255, blue = 255] = await sharp(outputs[0]?.path).raw().toBuffer();
  expect([red > 180, green < 80, blue < 80]).toEqual([true, true, true]);
});

test("the report of an image that cannot be converted has its header", async () => {
  const pixel = Buffer.from([0, 0, 0, 0x3f]);
  const sample = await tiffOf({ pixel, channels: 1, bits: 32, photometric: 1, format: 3 });
  const { result } = await runOperation(fileInspect, sample);
  expect(result).toMatchObject({ width: size, height: size, channels: 1, depth: "float" });
});
