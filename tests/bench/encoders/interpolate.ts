/** One encoding. */
export interface Sample {
  readonly bytes: number;
  /** The CPU seconds of all threads. */
  readonly cpu: number;
  /** The SSIM of the decoded result to the source, 0 to 1. */
  readonly ssim: number;
}

/** An encoder with a setting, at several qualities. */
export interface EncoderCase {
  readonly codec: string;
  readonly setting: string;
  /** Whether operations use it. */
  readonly isUsed: boolean;
  /** The SSIM at which settings are compared. */
  readonly ssim: number;
  readonly qualities: readonly number[];
  readonly encode: (quality: number) => Promise<Sample>;
}

/** SSIM in decibels, in which the logarithm of the size is nearly a line. */
const toDecibels = (ssim: number) => -10 * Math.log10(Math.max(1e-6, 1 - ssim));

/**
 * Interpolates the bytes and CPU seconds at `ssim`, between the worst sample above it and the best
 * one below. Throws if all samples are on one side.
 */
export function interpolate(samples: readonly Sample[], ssim: number) {
  const target = toDecibels(ssim);
  const ordered = samples.toSorted((one, other) => one.ssim - other.ssim);
  const below = ordered.findLast((one) => one.ssim <= ssim);
  const above = ordered.find((one) => one.ssim > ssim);
  if (!below || !above) {
    const found = ordered.map((one) => one.ssim.toFixed(4)).join(", ");
    throw new Error(`SSIM ${ssim} is outside the qualities: ${found}`);
  }
  const from = toDecibels(below.ssim);
  const to = toDecibels(above.ssim);
  const share = (target - from) / (to - from);
  const mix = (one: number, other: number) => one + (other - one) * share;
  return {
    bytes: Math.exp(mix(Math.log(below.bytes), Math.log(above.bytes))),
    cpu: mix(below.cpu, above.cpu),
  };
}
