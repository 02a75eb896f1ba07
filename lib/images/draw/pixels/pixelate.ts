import { loadSharp } from "#lib/engines/image/open.ts";
import type { Canvas } from "./canvas.ts";
import { readSamples } from "./samples.ts";

/** Makes squares of one color of `side` pixels, in a worker. */
export async function pixelate(canvas: Canvas, side: number): Promise<Canvas> {
  const sharp = await loadSharp();
  const { data, width, height, channels } = await readSamples(canvas.image);
  const size = Math.min(side, Math.max(width, height));
  const output = Buffer.alloc(data.length);
  const hasAlpha = channels === 2 || channels === 4;
  const colorChannels = hasAlpha ? channels - 1 : channels;
  for (let top = 0; top < height; top += size) {
    for (let left = 0; left < width; left += size) {
      const bottom = Math.min(height, top + size);
      const right = Math.min(width, left + size);
      const sums = [0, 0, 0, 0];
      let weights = 0;
      for (let y = top; y < bottom; y++) {
        for (
          let at = (y * width + left) * channels;
          at < (y * width + right) * channels;
          at += channels
        ) {
          const alpha = hasAlpha ? (data[at + colorChannels] ?? 0) : 1;
          weights += alpha;
          for (let channel = 0; channel < colorChannels; channel++) {
            sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0) * alpha;
          }
        }
      }
      const color = sums.slice(0, colorChannels).map((sum) => Math.round(sum / (weights || 1)));
      if (hasAlpha) color.push(Math.round(weights / ((bottom - top) * (right - left))));
      for (let y = top; y < bottom; y++) {
        for (
          let at = (y * width + left) * channels;
          at < (y * width + right) * channels;
          at += channels
        ) {
          for (let channel = 0; channel < channels; channel++)
            output[at + channel] = color[channel] ?? 0;
        }
      }
    }
  }
  return { image: sharp(output, { raw: { width, height, channels } }), width, height };
}
