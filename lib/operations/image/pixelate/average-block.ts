import type { Box } from "#lib/engines/image/box.ts";
import type { Samples } from "../../shared/image/blend-region.ts";

/** Gives all pixels of `block` their average color, in place. Rows of the pixels have `rowWidth`. */
export function averageBlock(
  { samples, channels, hasAlpha }: Samples,
  rowWidth: number,
  { left, top, width, height }: Box,
): void {
  const colors = hasAlpha ? channels - 1 : channels;
  const sums = new Float64Array(channels);
  let weights = 0;
  for (let y = top; y < top + height; y++) {
    let at = (y * rowWidth + left) * channels;
    for (let x = 0; x < width; x++, at += channels) {
      // Colors are weighted by their alpha, so that those of transparent pixels do not show.
      const alpha = hasAlpha ? (samples[at + colors] ?? 0) : 1;
      weights += alpha;
      for (let channel = 0; channel < colors; channel++) {
        sums[channel] = (sums[channel] ?? 0) + alpha * (samples[at + channel] ?? 0);
      }
    }
  }
  if (weights === 0) return;
  const average = Array.from(sums, (sum) => Math.round(sum / weights));
  if (hasAlpha) average[colors] = Math.round(weights / (width * height));
  for (let y = top; y < top + height; y++) {
    let at = (y * rowWidth + left) * channels;
    for (let x = 0; x < width; x++, at += channels) samples.set(average, at);
  }
}
