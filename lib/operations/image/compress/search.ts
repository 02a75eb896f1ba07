import type { Encoder, Level } from "./encoder.ts";

/** Encoders that write the same: `whole` all pixels, `sample` the same ones or tiles of them. */
export interface Search {
  readonly whole: Encoder;
  readonly sample: Encoder;
}

/**
 * The share of the missing similarity that is added to the goal. Other programs measure SSIM with other
 * windows and color weights, so that their values differ a little.
 */
const similarityMargin = 0.02;

/** Drawings with transparency have large flat areas, where errors are visible that SSIM hardly counts. */
const transparentMargin = 0.7;

/** Levels that are added if the sample was more similar than the whole image. */
const levelStep = 3;

/** The lowest level at which the image has an SSIM of at least `ssim`; undefined if none has. */
export async function findSimilarLevel(
  { whole, sample }: Search,
  ssim: number,
): Promise<number | undefined> {
  const { hasAlpha } = whole.source.metadata;
  const target = ssim + (1 - ssim) * (hasAlpha ? transparentMargin : similarityMargin);
  const { top, isCoarse } = whole.levels;
  // A palette is often too small for photographs at any level.
  if (isCoarse && (await sample.compare(top)) < target) return undefined;
  let low = 1;
  let high = top;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await sample.compare(middle)) >= target) high = middle;
    else low = middle + 1;
  }
  for (let level = low; ; level = Math.min(top, level + levelStep)) {
    if ((await whole.compare(level)) >= target) return level;
    if (level === top) return undefined;
  }
}

/** A file that uses this share of the allowed bytes is good enough. */
const wantedShare = 0.95;

const maxAttempts = 5;

/** The highest level at which the file has at most `maxBytes`; undefined if none has. */
export async function findFittingLevel(
  { whole, sample }: Search,
  maxBytes: number,
): Promise<Level | undefined> {
  const { top, lossless, isCoarse } = whole.levels;
  if (lossless && isCoarse && (await whole.encode("lossless")).bytes <= maxBytes) return "lossless";
  const isWhole = whole === sample;
  // Bytes of the whole image for one of the sample.
  let factor = isWhole ? 1 : pixelsOf(whole) / pixelsOf(sample);
  let best: number | undefined;
  const tried = new Set<number>();
  while (tried.size < maxAttempts) {
    const level = Math.max(1, await findLargest(sample, maxBytes / factor, top));
    if (tried.has(level)) break;
    tried.add(level);
    const { bytes } = await whole.encode(level);
    if (bytes <= maxBytes) best = Math.max(level, best ?? 0);
    if (isWhole || (bytes <= maxBytes && (bytes >= wantedShare * maxBytes || level === top))) break;
    const measured = bytes / (await sample.encode(level)).bytes;
    factor = bytes > maxBytes ? measured * 1.01 : measured;
  }
  return best;
}

const pixelsOf = ({ source }: Encoder) => source.width * source.height;

/** The highest level whose file has at most `maxBytes`; 0 if there is none. */
async function findLargest(encoder: Encoder, maxBytes: number, top: number): Promise<number> {
  let low = 0;
  let high = top;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((await encoder.encode(middle)).bytes <= maxBytes) low = middle;
    else high = middle - 1;
  }
  return low;
}
