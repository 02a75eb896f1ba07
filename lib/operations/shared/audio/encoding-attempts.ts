import {
  correctPlan,
  excessPeak,
  type LoudnessTarget,
  type MeasuredLevels,
  type NormalizationPlan,
  trimPlan,
} from "./normalization-plan.ts";

/** Finds a plan whose encoded output is as loud as the target, or as loud as its peak permits. */

/** A plan, and the levels that its output has after encoding. */
export interface EncodingAttempt {
  readonly plan: NormalizationPlan;
  readonly after: MeasuredLevels;
  /** Whether it only lowers the output of an attempt before it. */
  readonly isTrimmed: boolean;
}

/** Attempts that change what the limiter does. */
const maxSearches = 5;

/** The most attempts: the rest only lower the output. */
export const maxAttempts = maxSearches + 4;

/** In LU; a smaller difference is none, because measurements have one decimal. */
const minDifference = 0.05;

/** In dB. Encoders do not scale exactly: the peak of a lower copy may be higher. */
const trimMargin = 0.05;

/** The largest further step in dB, because the next copy may as well have a lower peak. */
const maxFurtherTrim = 0.3;

/**
 * The plan to encode with after `attempts`; undefined if the last of them is good. A lossy codec
 * raises the peaks of limited audio, and more so the deeper the limiter works. Beyond some depth the
 * output has to be lowered by more than the limiter gains, so the loudest attempt is kept.
 */
export function planNextAttempt(
  attempts: readonly EncodingAttempt[],
  target: LoudnessTarget,
): Pick<EncodingAttempt, "plan" | "isTrimmed"> | undefined {
  const last = attempts.at(-1);
  if (!last) return undefined;
  const searched = attempts.filter(({ isTrimmed }) => !isTrimmed);
  const best = searched.reduce((found, attempt) =>
    error(attempt, target) < error(found, target) - minDifference ? attempt : found,
  );
  const isBest = last.isTrimmed || error(last, target) <= error(best, target) + minDifference;
  if (!last.isTrimmed && isBest) {
    const plan = correctPlan(last.plan, last.after, target);
    if (!plan) return undefined;
    if (searched.length < maxSearches) return { plan, isTrimmed: false };
  }
  const chosen = isBest ? last : best;
  const excess = excessPeak(chosen.after, target);
  if (excess <= 0) return chosen === last ? undefined : { plan: chosen.plan, isTrimmed: true };
  const isFurther = last.isTrimmed && attempts.length < maxAttempts - 2;
  const step = isFurther ? Math.min(excess, maxFurtherTrim) : excess;
  return { plan: trimPlan(chosen.plan, step + trimMargin), isTrimmed: true };
}

/** The distance from the target in LU, once the output is lowered to the true peak. */
function error({ after }: EncodingAttempt, target: LoudnessTarget): number {
  const lowered = (after.integrated ?? target.loudness) - Math.max(excessPeak(after, target), 0);
  return Math.abs(target.loudness - lowered);
}
