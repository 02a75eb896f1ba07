import type { FramePixels } from "#lib/engines/image/frames.ts";

export interface ToneSettings {
  readonly brightness: number;
  readonly contrast: number;
  readonly gamma: number;
  readonly negate: boolean;
}

/** The levels that become black and white, 0 to 1. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** What happens to each channel before and after the color matrix. */
export interface Tones {
  /** The value from 0 to 1 by level of a sample. */
  readonly before: Float32Array;
  /** The level of the result by value, from 0 at the first to 1 at the last entry. */
  readonly after: Uint16Array;
}

/** A number of steps that is fine enough for 16 bits. */
const steps = 65_536;

/** Builds the tones for `levels` levels: 256, or 65,536 for samples of 16 bits. */
export function buildTones(
  { brightness, contrast, gamma, negate }: ToneSettings,
  levels: number,
  { low, high }: Range = { low: 0, high: 1 },
): Tones {
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const before = Float32Array.from({ length: levels }, (_, level) => {
    const stretched = clamp((level / (levels - 1) - low) / (high - low));
    return clamp((clamp(stretched * brightness) - 0.5) * contrast + 0.5);
  });
  const after = Uint16Array.from({ length: steps }, (_, step) => {
    const value = step / (steps - 1);
    return Math.round((negate ? 1 - value : value) ** (1 / gamma) * (levels - 1));
  });
  return { before, after };
}

/** How much of the image may become completely black, and as much white. */
const clippedShare = 0.01;

/** Levels of the histogram. */
const bins = 1024;

/**
 * The range of brightness of all frames together, so that they do not flicker. Transparent pixels do
 * not count. The whole range if the image has nearly one brightness.
 */
export function findRange({ samples, channels }: FramePixels): Range {
  const max = samples instanceof Uint16Array ? 65_535 : 255;
  const histogram = new Float64Array(bins);
  let count = 0;
  for (let at = 0; at + 2 < samples.length; at += channels) {
    if (channels === 4 && samples[at + 3] === 0) continue;
    const red = samples[at] ?? 0;
    const green = samples[at + 1] ?? 0;
    const blue = samples[at + 2] ?? 0;
    const luma = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / max;
    const bin = Math.round(luma * (bins - 1));
    histogram[bin] = (histogram[bin] ?? 0) + 1;
    count++;
  }
  const reach = (order: Iterable<number>) => {
    let sum = 0;
    for (const bin of order) {
      sum += histogram[bin] ?? 0;
      if (sum > count * clippedShare) return bin / (bins - 1);
    }
    return 0;
  };
  const indexes = Array.from({ length: bins }, (_, index) => index);
  const low = reach(indexes);
  const high = reach(indexes.toReversed());
  return high - low < 0.01 ? { low: 0, high: 1 } : { low, high };
}
