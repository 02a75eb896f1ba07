import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { onTestFinished } from "vitest";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { Sample } from "#tests/support/operation.ts";

/** Writes `bytes` to a temporary file that is removed when the test ends. */
export async function toSample(type: MediaTypeId, bytes: Uint8Array): Promise<Sample> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-image-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, `image.${mediaType(type).extension}`);
  await writeFile(path, bytes);
  return { path, type };
}

export interface TestImageOptions {
  readonly width?: number;
  readonly height?: number;
  /**
   * The number of channels: 1 is grayscale, 2 grayscale with alpha, 3 RGB, and 4 RGB with alpha.
   */
  readonly channels?: 1 | 2 | 3 | 4;
  readonly bits?: 8 | 16;
}

/** Makes an image in which adjacent pixels differ slightly; alpha decreases to 40 % at the bottom. */
export function makeTestImage({
  width = 240,
  height = 180,
  channels = 3,
  bits = 8,
}: TestImageOptions = {}): Sharp {
  const scale = bits === 16 ? 257 : 1;
  const values = width * height * channels;
  const samples = bits === 16 ? new Uint16Array(values) : new Uint8Array(values);
  const hasAlpha = channels % 2 === 0;
  // Most tests make several such images, and sines of all pixels would take longer than the tests themselves.
  const across = Array.from(
    { length: width * channels },
    (_, at) => 40 * Math.sin(Math.floor(at / channels) / 17 + (at % channels)),
  );
  const down = Array.from(
    { length: height * channels },
    (_, at) => 30 * Math.cos(Math.floor(at / channels) / 11 - (at % channels)),
  );
  for (let y = 0; y < height; y++) {
    for (let at = 0; at < width * channels; at++) {
      const channel = at % channels;
      const isAlpha = hasAlpha && channel === channels - 1;
      const wave = 90 + (across[at] ?? 0) + (down[y * channels + channel] ?? 0);
      const value = isAlpha ? 255 - (153 * y) / height : wave;
      samples[y * width * channels + at] = Math.round(value * scale);
    }
  }
  const space = channels < 3 ? (bits === 16 ? "grey16" : "b-w") : bits === 16 ? "rgb16" : "srgb";
  const raw = { width, height, channels };
  // sharp's types only allow bytes; sharp itself reads the depth from the type of the array.
  return sharp(samples as Uint8Array, { raw }).toColourspace(space);
}

/** Makes an image with noise, of which an encoder loses much. */
export async function paintNoise(width: number, height: number): Promise<Sharp> {
  const noise = Uint8Array.from(
    { length: width * height * 3 },
    (_, index) => (index * index * 31) % 251,
  );
  const overlay = await sharp(noise, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  return makeTestImage({ width, height }).composite([{ input: overlay, blend: "soft-light" }]);
}

/** Makes an animation: each frame has a dark left half, and a right half of its color. */
export function makeTestFrames(
  colors: readonly string[],
  width = 120,
  height = 80,
): Promise<Sharp> {
  const half = { width: width / 2, height, channels: 4, background: "#202020" } as const;
  const frames = colors.map((background) =>
    sharp({ create: { width, height, channels: 4, background } })
      .composite([{ input: { create: half }, left: 0, top: 0 }])
      .png()
      .toBuffer(),
  );
  return Promise.all(frames).then((inputs) => sharp(inputs, { join: { animated: true } }));
}

/** Decoded pixels in the color space and depth of the image; frames are stacked vertically. */
export interface Pixels {
  readonly samples: Uint8Array | Uint16Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** Decodes an image; `upright` applies its EXIF orientation. */
export async function readPixels(path: string, { upright = false } = {}): Promise<Pixels> {
  const { space, depth, format, pages = 1 } = await sharp(path).metadata();
  const all = pages > 1 && format !== "heif" ? { pages: -1 } : {};
  // libtiff reports an invalid orientation like damage, and `failOn` would stop at it.
  let image = sharp(path, { ...all, autoOrient: upright, failOn: "none" }).keepIccProfile();
  if (space === "cmyk") image = image.pipelineColourspace("cmyk");
  // Raw grayscale output would lose the alpha channel.
  const readable = space === "b-w" ? "srgb" : space === "grey16" ? "rgb16" : space;
  const { data, info } = await image
    .toColourspace(readable)
    .raw({ depth: depth === "ushort" ? "ushort" : "uchar" })
    .toBuffer({ resolveWithObject: true });
  const samples = depth === "ushort" ? new Uint16Array(Uint8Array.from(data).buffer) : data;
  return { samples, width: info.width, height: info.height, channels: info.channels };
}

export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The smallest area with all pixels in which a channel differs by more than `tolerance`. */
export function findChanges(before: Pixels, after: Pixels, tolerance = 0): Area | undefined {
  const { width, height, channels } = before;
  let left = width;
  let top = height;
  let right = -1;
  let bottom = -1;
  for (let index = 0; index < before.samples.length; index++) {
    const change = Math.abs((before.samples[index] ?? 0) - (after.samples[index] ?? 0));
    if (change <= tolerance) continue;
    const pixel = Math.floor(index / channels);
    const x = pixel % width;
    const y = Math.floor(pixel / width);
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return right < 0 ? undefined : { left, top, right, bottom };
}

/** The first channel of row `y`, from left to right. */
export function readRow(pixels: Pixels, y: number): number[] {
  const { samples, width, channels } = pixels;
  return Array.from({ length: width }, (_, x) => samples[(y * width + x) * channels] ?? 0);
}

/** The largest difference between adjacent values. */
export function largestStep(row: readonly number[]): number {
  return Math.max(...row.slice(1).map((value, index) => Math.abs(value - (row[index] ?? 0))));
}
