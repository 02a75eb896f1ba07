import type { Trim } from "../plan/plan.ts";
import type { Box } from "../plan/size.ts";
import type { Transform } from "../plan/transform.ts";
import type { Canvas } from "./pixels/canvas.ts";
import { readSamples, type Samples, toColors } from "./pixels/samples.ts";

/** Finds the surroundings of one color, in a worker. */

/** The part that is not of the color of the surroundings. Undefined if nothing would be left. */
export async function findTrim(canvas: Canvas, trim: Trim): Promise<Box | undefined> {
  const { data, width, height, channels } = await readSamples(
    canvas.image.clone().flatten({ background: { r: 255, g: 0, b: 255 } }),
  );
  const color = trim.color
    ? [trim.color.r, trim.color.g, trim.color.b]
    : [...data.subarray(0, channels)];
  const differs = (offset: number) => {
    for (let channel = 0; channel < channels; channel++) {
      const difference = (data[offset + channel] ?? 0) - (color[Math.min(channel, 2)] ?? 0);
      if (Math.abs(difference) > trim.threshold) return true;
    }
    return false;
  };
  const found = findBounds({ width, height, channels }, differs);
  if (!found) return undefined;
  let { left, top, right, bottom } = found;
  if (trim.equalHorizontal) {
    left = Math.min(left, width - 1 - right);
    right = width - 1 - left;
  }
  if (trim.equalVertical) {
    top = Math.min(top, height - 1 - bottom);
    bottom = height - 1 - top;
  }
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** What is left without the border, as thumbor compares colors. Undefined if nothing would be left. */
export async function findBorder(
  canvas: Canvas,
  { corner, tolerance }: NonNullable<Transform["trim"]>,
): Promise<Box | undefined> {
  const samples = toColors(await readSamples(canvas.image.clone()));
  const { data, channels } = samples;
  const reference = corner === "top-left" ? 0 : data.length - channels;
  const differs = (offset: number) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) {
      sum += ((data[offset + channel] ?? 0) - (data[reference + channel] ?? 0)) ** 2;
    }
    return sum > tolerance * tolerance;
  };
  const found = findBounds(samples, differs);
  if (!found) return undefined;
  const { left, top, right, bottom } = found;
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** The first and last columns and rows with a pixel that differs. Undefined if there is none. */
function findBounds(
  { width, height, channels }: Omit<Samples, "data">,
  differs: (offset: number) => boolean,
) {
  let left = width;
  let right = -1;
  let top = -1;
  let bottom = -1;
  for (let y = 0; y < height; y++) {
    const row = y * width * channels;
    let first = 0;
    while (first < width && !differs(row + first * channels)) first++;
    if (first === width) continue;
    let last = width - 1;
    while (!differs(row + last * channels)) last--;
    if (top === -1) top = y;
    bottom = y;
    left = Math.min(left, first);
    right = Math.max(right, last);
  }
  return right === -1 ? undefined : { left, top, right, bottom };
}
