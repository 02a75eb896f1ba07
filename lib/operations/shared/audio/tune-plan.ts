import { type LoudnessMeasurement, measureLoudness } from "#lib/engines/ffmpeg/audio/loudness.ts";
import {
  correctPlan,
  type LoudnessTarget,
  type NormalizationPlan,
  planFilters,
} from "./normalization-plan.ts";

const maxPasses = 5;

export interface PlanTuning {
  readonly target: LoudnessTarget;
  /** The sample rate of the audio in Hz. */
  readonly sampleRate: number;
  /** Its filters are in front of those of the plan. */
  readonly measurement: LoudnessMeasurement;
}

/**
 * Finds the gain in front of the limiter of `plan` that reaches the target, by measuring before anything
 * is written. A plan without a limiter is exact. Throws what `measureLoudness` throws.
 */
export async function tunePlan(
  plan: NormalizationPlan | undefined,
  { target, sampleRate, measurement }: PlanTuning,
): Promise<NormalizationPlan | undefined> {
  let tuned = plan;
  for (let pass = 0; tuned?.ceiling !== undefined && pass < maxPasses; pass++) {
    const filters = [...(measurement.filters ?? []), ...planFilters(tuned, sampleRate)];
    const next = correctPlan(tuned, await measureLoudness({ ...measurement, filters }), target);
    if (!next) break;
    tuned = next;
  }
  return tuned;
}
