import type { Samples } from "../pixels/samples.ts";

/** Draws `mark` over the picture, in place, with thumbor's rounding. Both have four channels. */
export function composite(picture: Samples, mark: Samples, left: number, top: number): void {
  const { data: under } = picture;
  const { data: over } = mark;
  const endY = Math.min(mark.height, picture.height - top);
  const endX = Math.min(mark.width, picture.width - left);
  for (let y = Math.max(0, -top); y < endY; y++) {
    for (let x = Math.max(0, -left); x < endX; x++) {
      const from = (y * mark.width + x) * 4;
      const to = ((top + y) * picture.width + left + x) * 4;
      const overClear = (255 - (over[from + 3] ?? 0)) / 255;
      const underClear = (255 - (under[to + 3] ?? 0)) / 255;
      const clear = overClear * underClear;
      const factor = 1 - clear <= 1e-12 ? 1 : 1 / (1 - clear);
      for (let channel = 0; channel < 3; channel++) {
        const upper = (1 - overClear) * (over[from + channel] ?? 0);
        const lower = (1 - underClear) * (under[to + channel] ?? 0) * overClear;
        under[to + channel] = Math.min(255, factor * (upper + lower));
      }
      under[to + 3] = 255 - 255 * clear;
    }
  }
}
