/** Plans how audio reaches a loudness below a true peak: by gain, and a limiter if the peak needs one. */

export interface LoudnessTarget {
  /** The loudness in LUFS. */
  readonly loudness: number;
  /** The true peak in dBTP, which is never exceeded, even if the loudness is then not reached. */
  readonly truePeak: number;
}

export interface NormalizationPlan {
  /** The gain in dB. */
  readonly gain: number;
  /** The threshold of the limiter in dBFS; undefined without a limiter. */
  readonly ceiling: number | undefined;
  /** The highest gain that corrections may reach, in dB. */
  readonly maxGain: number;
}

export interface MeasuredLevels {
  readonly integrated: number | undefined;
  readonly truePeak: number | undefined;
}

/** Measurements have one decimal, so a peak may be half of a tenth above the printed one. */
const measuringError = 0.05;

/**
 * The tolerance in LU. Within this tolerance there is no further pass; the documented tolerance is
 * 0.5 LU.
 */
const loudnessTolerance = 0.2;

/**
 * The headroom in dB. Downsampling after the limiter and lossy coding raise peaks by about this
 * much.
 */
const headroom = 0.4;

/** The gain in dB above the linear one from which the limiter works all the time. */
const flatteningGain = 4;

/**
 * The largest gain in dB above the linear one. With more, the limiter distorts the audio and does
 * not make it louder.
 */
const maxExtraGain = 16;

/** The first plan for audio measured as `before`; undefined if it is silent. */
export function planNormalization(
  before: MeasuredLevels,
  target: LoudnessTarget,
): NormalizationPlan | undefined {
  if (before.integrated === undefined) return undefined;
  const gain = target.loudness - before.integrated;
  const peak = (before.truePeak ?? Number.NEGATIVE_INFINITY) + gain;
  const fits = peak <= target.truePeak - measuringError * 2;
  const ceiling = fits ? undefined : target.truePeak - headroom;
  return { gain, ceiling, maxGain: gain + maxExtraGain };
}

/**
 * The next plan after `plan` led to the levels `after`; undefined if these are good enough. The peak
 * has priority over the loudness.
 */
export function correctPlan(
  plan: NormalizationPlan,
  after: MeasuredLevels,
  target: LoudnessTarget,
): NormalizationPlan | undefined {
  const missing = target.loudness - (after.integrated ?? target.loudness);
  const excess = excessPeak(after, target);
  if (Math.abs(missing) <= loudnessTolerance && excess <= 0) return undefined;
  // The limiter removes a part of additional gain.
  const step = plan.ceiling === undefined ? missing : missing * 1.3;
  const gain = Math.min(plan.gain + step, plan.maxGain);
  if (excess <= 0) return gain === plan.gain ? undefined : { ...plan, gain };
  const ceiling = (plan.ceiling ?? target.truePeak - headroom) - excess - measuringError;
  return { ...plan, gain, ceiling };
}

/** Whether the limiter of `plan` flattens the audio: it takes back most of the gain. */
export function flattensAudio({ gain, ceiling, maxGain }: NormalizationPlan): boolean {
  return ceiling !== undefined && gain > maxGain - maxExtraGain + flatteningGain;
}

/** By how much dB the true peak is above that of `target`; negative below it. */
export function excessPeak(after: MeasuredLevels, target: LoudnessTarget): number {
  return (after.truePeak ?? target.truePeak - 1) - (target.truePeak - measuringError);
}

/** `plan` with all its output lower by `decibels`: the limiter does the same as before. */
export function trimPlan(plan: NormalizationPlan, decibels: number): NormalizationPlan {
  const ceiling = plan.ceiling === undefined ? undefined : plan.ceiling - decibels;
  return { ...plan, gain: plan.gain - decibels, ceiling };
}

/**
 * The sample rate of the limiter in Hz. At this sample rate a limiter of samples limits true peaks:
 * 4 × 48 kHz (BS.1770-4, annex 2).
 */
const oversampledRate = 192_000;

/** ffmpeg's filters for `plan`; `sampleRate` in Hz is that of the audio. */
export function planFilters(plan: NormalizationPlan, sampleRate: number): string[] {
  const volume = `volume=${plan.gain.toFixed(2)}dB:precision=double`;
  if (plan.ceiling === undefined) return [volume];
  const limit = (10 ** (plan.ceiling / 20)).toFixed(5);
  const limiter = `alimiter=limit=${limit}:attack=2:release=20:level=0:latency=1`;
  if (sampleRate >= oversampledRate) return [volume, limiter];
  return [volume, `aresample=${oversampledRate}`, limiter, `aresample=${sampleRate}`];
}
