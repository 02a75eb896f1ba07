/** Sizes and parts of pictures, in pixels. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const swapSides = ({ width, height }: Size): Size => ({ width: height, height: width });

/** As many pixels as imgproxy accepts by default; a picture of a page is never larger. */
export const maxPixels = 50_000_000;

export interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/** Half to even, as IEEE 754 rounds. */
export function roundToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
