import type { Box } from "../plan/geometry.ts";
import type { Trim } from "../plan/plan.ts";
import type { Canvas } from "./pixels/canvas.ts";
import { readSamples } from "./pixels/samples.ts";

/** Finds the surroundings of one color, in a worker. */

/** The part that is not of the color of the surroundings. Undefined if nothing would be left. */
export async function findTrim(canvas: Canvas, trim: Trim | null): Promise<Box | undefined> {
  if (!trim) return undefined;
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
  if (right === -1) return undefined;
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
