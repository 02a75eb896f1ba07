import { type Box, clipBox, toStoredBox } from "#lib/engines/image/box.ts";
import { displayedSize, type Sharp, type SourceImage } from "#lib/engines/image/open.ts";
import { widestLimits } from "#lib/limits/limits.ts";
import type { Samples } from "../../shared/image/blend-region.ts";
import { boundsOf, mergeBoxes, readRegion, replaceRegion } from "../../shared/image/region.ts";

/**
 * A pipeline of `source` that is blurred by `sigma` pixels, as a whole or in `regions` of the displayed
 * image. It keeps depth, color space, profile, orientation, alpha and all frames. Throws `JobError`:
 * `empty` if a region is outside of the image.
 */
export async function blurImage(
  source: SourceImage,
  sigma: number,
  regions: readonly Box[],
): Promise<Sharp> {
  if (regions.length === 0 && source.pages === 1) return source.pipeline().blur(sigma);
  const size = displayedSize(source);
  const whole = { left: 0, top: 0, ...size };
  const boxes = (regions.length === 0 ? [whole] : regions).map((region) =>
    toStoredBox(source, clipBox(region, size)),
  );
  const bounds = boundsOf(boxes);
  const before = await readRegion(source, bounds);
  const blurred = await readBlurred(source, bounds, sigma);
  return replaceRegion(source, bounds, before, mergeBoxes(before, blurred, bounds, boxes));
}

/** The blurred pixels of `bounds` in all frames, one below the other. */
async function readBlurred(
  source: SourceImage,
  bounds: Box,
  sigma: number,
): Promise<Samples["samples"]> {
  const { width, height, pages } = source;
  const radius = maskRadius(sigma);
  // What is next to the box blurs into it.
  const left = Math.max(0, bounds.left - radius);
  const top = Math.max(0, bounds.top - radius);
  const right = Math.min(width, bounds.left + bounds.width + radius);
  const bottom = Math.min(height, bounds.top + bounds.height + radius);
  const read = { left, top, width: right - left, height: bottom - top };
  // All frames are in one tall image. Rows are added, so that a frame does not blur into the next one;
  // not to very low frames, which would grow many times over.
  const grown = read.width * (read.height + 2 * radius) * pages;
  const margin = pages > 1 && grown <= 2 * widestLimits.imagePixels ? radius : 0;
  const { samples, channels } = await readRegion(source, read, source.space, (extracted) => {
    if (margin > 0) extracted.extend({ top: margin, bottom: margin, extendWith: "copy" });
    return extracted.blur(sigma);
  });
  const rowLength = bounds.width * channels;
  for (let row = 0; row < pages * bounds.height; row++) {
    const page = Math.floor(row / bounds.height);
    const y = page * (read.height + 2 * margin) + margin + bounds.top - top + (row % bounds.height);
    const start = (y * read.width + bounds.left - left) * channels;
    samples.copyWithin(row * rowLength, start, start + rowLength);
  }
  return samples.subarray(0, pages * bounds.height * rowLength);
}

/** Pixels from the center of the mask to where its Gaussian is below 0.2, sharp's bound: σ·√(2·ln 5). */
function maskRadius(sigma: number): number {
  return Math.ceil(sigma * Math.sqrt(2 * Math.log(5))) + 1;
}
