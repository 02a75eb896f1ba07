import { JobError } from "#lib/errors.ts";
import type { PixelFilter } from "../../plan/pixel-filters.ts";
import type { Samples } from "../pixels/samples.ts";

type Sharpen = Extract<PixelFilter, { name: "sharpen" }>;

/** Each pixel needs 16 bytes more. */
const maxPixels = 25_000_000;

const levels = 5;

const { fround } = Math;

/**
 * Sharpens with wavelets, in place: a picture is the sum of the differences between its blurred versions, each of twice
 * the distance, and those near to the radius are multiplied most. The same pixels as thumbor, which computes with
 * 32-bit floats. With `luminanceOnly`, only the luma of JPEG's color space is changed. Throws `JobError` for a picture
 * that is too large.
 */
export function sharpen(samples: Samples, filter: Sharpen): void {
  if (samples.width * samples.height > maxPixels) {
    throw new JobError("too_complex", "The picture has too many pixels to be sharpened.");
  }
  if (filter.luminanceOnly) sharpenLuma(samples, filter);
  else for (const channel of [0, 1, 2]) sharpenChannel(samples, channel, filter);
}

function sharpenChannel(samples: Samples, channel: number, filter: Sharpen): void {
  const { data, width, height, channels } = samples;
  const plane = new Float32Array(width * height);
  for (let index = 0; index < plane.length; index++) {
    plane[index] = (data[index * channels + channel] ?? 0) / 255;
  }
  enhance(plane, width, height, filter);
  for (let index = 0; index < plane.length; index++) {
    data[index * channels + channel] = toByte(fround((plane[index] ?? 0) * 255));
  }
}

function sharpenLuma(samples: Samples, filter: Sharpen): void {
  const { data, width, height, channels } = samples;
  const plane = new Float32Array(width * height);
  for (let index = 0, at = 0; index < plane.length; index++, at += channels) {
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
    plane[index] = fround(0.299 * red + 0.587 * green + 0.114 * blue) / 255;
  }
  enhance(plane, width, height, filter);
  for (let index = 0, at = 0; index < plane.length; index++, at += channels) {
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
    const y = fround((plane[index] ?? 0) * 255);
    const cb = -0.1687 * red - 0.3313 * green + 0.5 * blue;
    const cr = 0.5 * red - 0.4187 * green - 0.0813 * blue;
    data[at] = toByte(y + 1.402 * cr);
    data[at + 1] = toByte(y - 0.344_14 * cb - 0.714_14 * cr);
    data[at + 2] = toByte(y + 1.772 * cb);
  }
}

const toByte = (value: number) => Math.max(0, Math.min(255, Math.trunc(fround(value))));

function enhance(plane: Float32Array, width: number, height: number, filter: Sharpen): void {
  let current = plane.slice();
  let blurred = new Float32Array(plane.length);
  const rows = new Float32Array(plane.length);
  plane.fill(0);
  for (let level = 0; level < levels; level++) {
    const distance = 1 << level;
    blurRows(current, rows, width, distance);
    blurColumns(rows, blurred, width, height, distance);
    const offset = level - filter.radius;
    const gain = fround(filter.amount * Math.exp(-(offset * offset) / 1.5) + 1);
    for (let index = 0; index < plane.length; index++) {
      const detail = fround((current[index] ?? 0) - (blurred[index] ?? 0));
      plane[index] = (plane[index] ?? 0) + fround(detail * gain);
    }
    [current, blurred] = [blurred, current];
  }
  for (let index = 0; index < plane.length; index++) {
    plane[index] = (plane[index] ?? 0) + (current[index] ?? 0);
  }
}

/** Each value becomes half of itself and a quarter of each pixel at the distance. */
function blurRows(from: Float32Array, to: Float32Array, width: number, distance: number): void {
  const [lefts, rights] = pixelsAround(width, distance);
  for (let start = 0; start < from.length; start += width) {
    for (let x = 0; x < width; x++) {
      const near = (from[start + (lefts[x] ?? 0)] ?? 0) + (from[start + (rights[x] ?? 0)] ?? 0);
      to[start + x] = (2 * (from[start + x] ?? 0) + near) / 4;
    }
  }
}

function blurColumns(
  from: Float32Array,
  to: Float32Array,
  width: number,
  height: number,
  distance: number,
): void {
  const [uppers, lowers] = pixelsAround(height, distance);
  for (let y = 0; y < height; y++) {
    const upper = (uppers[y] ?? 0) * width;
    const lower = (lowers[y] ?? 0) * width;
    for (let x = 0; x < width; x++) {
      const near = (from[upper + x] ?? 0) + (from[lower + x] ?? 0);
      to[y * width + x] = (2 * (from[y * width + x] ?? 0) + near) / 4;
    }
  }
}

/** For each position on a side, those at the distance before and after it. Positions outside are mirrored. */
function pixelsAround(length: number, distance: number): readonly [Int32Array, Int32Array] {
  const last = length - 1;
  const mirror = (at: number) => {
    const inside = at < 0 ? -at : at > last ? 2 * last - at : at;
    // A side of a very small picture is shorter than the distance.
    return Math.max(0, Math.min(last, inside));
  };
  const places = (step: number) => Int32Array.from({ length }, (_, at) => mirror(at + step));
  return [places(-distance), places(distance)];
}
