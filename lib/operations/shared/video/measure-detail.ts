import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";

export interface FrameDetail {
  /** The difference between the darkest and the brightest tenth of the pixels, 0 to 255. */
  readonly contrast: number;
  /**
   * The variance of the Laplacian, relative to that of the brightness, so that it depends on blur and
   * less on contrast.
   */
  readonly sharpness: number;
}

/** Measures `luma`, one byte for each pixel, row by row. */
export function measureDetail(luma: Uint8Array, { width, height }: Frame): FrameDetail {
  const histogram = new Uint32Array(256);
  const count = width * height;
  let sum = 0;
  let squares = 0;
  let laplacian = 0;
  const at = (x: number, y: number) => luma[y * width + x] ?? 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = at(x, y);
      histogram[value] = (histogram[value] ?? 0) + 1;
      sum += value;
      squares += value * value;
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) continue;
      const edge = 4 * value - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
      // The mean of the Laplacian is about 0, so its variance is the mean of its squares.
      laplacian += edge * edge;
    }
  }
  const variance = squares / count - (sum / count) ** 2;
  return {
    contrast: percentile(histogram, count * 0.9) - percentile(histogram, count * 0.1),
    sharpness: laplacian / count / Math.max(1, variance),
  };
}

/** The lowest value that at least `rank` pixels do not exceed. */
function percentile(histogram: Uint32Array, rank: number): number {
  let seen = 0;
  return histogram.findIndex((pixels) => {
    seen += pixels;
    return seen >= rank;
  });
}
