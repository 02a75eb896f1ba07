/** How a sound reaches a loudness without passing a true peak: by gain alone, or gain and a limiter. */

export interface LoudnessGoal {
  /** LUFS. */
  readonly loudness: number;
  /** dBTP; never passed, even where the loudness is then not reached. */
  readonly truePeak: number;
}

export interface GainPlan {
  /** dB. */
  readonly gain: number;
  /** Where the limiter begins, dBFS; undefined: no limiter, nothing but gain. */
  readonly ceiling: number | undefined;
  /** The most gain that corrections may come to, dB. */
  readonly maxGain: number;
}

export interface Measured {
  readonly integrated: number | undefined;
  readonly truePeak: number | undefined;
}

/** Measurements are to a tenth, so that a peak printed as the limit may be half of one above it. */
const measuringError = 0.05;

/** Nearer than this is not worth another pass; the promise is 0.5 LU. */
const loudnessTolerance = 0.2;

/** Decimation after the limiter and lossy coding raise peaks by about so much. */
const headroom = 0.4;

/** More than this on top of the linear gain makes a limiter distort rather than sound louder, dB. */
const maxExtraGain = 16;

/** The first plan for a sound measured as `before`; undefined where it has no loudness to change. */
export function planGain(before: Measured, goal: LoudnessGoal): GainPlan | undefined {
  if (before.integrated === undefined) return undefined;
  const gain = goal.loudness - before.integrated;
  const peak = (before.truePeak ?? Number.NEGATIVE_INFINITY) + gain;
  const fits = peak <= goal.truePeak - measuringError * 2;
  const ceiling = fits ? undefined : goal.truePeak - headroom;
  return { gain, ceiling, maxGain: gain + maxExtraGain };
}

/**
 * The next plan where `plan` led to `after`; undefined where that is good enough. The peak goes
 * before the loudness.
 */
export function correctPlan(
  plan: GainPlan,
  after: Measured,
  goal: LoudnessGoal,
): GainPlan | undefined {
  const missing = goal.loudness - (after.integrated ?? goal.loudness);
  const excess = (after.truePeak ?? goal.truePeak - 1) - (goal.truePeak - measuringError);
  if (Math.abs(missing) <= loudnessTolerance && excess <= 0) return undefined;
  // A limiter takes back some of what it is given.
  const step = plan.ceiling === undefined ? missing : missing * 1.3;
  const gain = Math.min(plan.gain + step, plan.maxGain);
  if (excess <= 0) return gain === plan.gain ? undefined : { ...plan, gain };
  const ceiling = (plan.ceiling ?? goal.truePeak - headroom) - excess - measuringError;
  return { ...plan, gain, ceiling };
}

/** The rate at which a limiter of samples limits true peaks: 4 × 48 kHz (BS.1770-4, annex 2). */
const oversampledRate = 192_000;

/** ffmpeg's filters for `plan` on sound of `sampleRate`. */
export function planFilters(plan: GainPlan, sampleRate: number): string[] {
  const volume = `volume=${plan.gain.toFixed(2)}dB:precision=double`;
  if (plan.ceiling === undefined) return [volume];
  const limit = (10 ** (plan.ceiling / 20)).toFixed(5);
  const limiter = `alimiter=limit=${limit}:attack=2:release=20:level=0:latency=1`;
  if (sampleRate >= oversampledRate) return [volume, limiter];
  return [volume, `aresample=${oversampledRate}`, limiter, `aresample=${sampleRate}`];
}
