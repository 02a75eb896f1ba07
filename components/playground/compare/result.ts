import type { JobDetails } from "#lib/jobs/view/details.ts";
import type { Outcome } from "./run-settings.ts";
import type { Setting } from "./settings.ts";

/** A finished setting with what is compared. */
export interface ComparedResult {
  readonly setting: Setting;
  readonly bytes: number;
  /** How long the engine worked, in milliseconds; null if it is not known. */
  readonly engineMs: number | null;
  readonly ssim: number | null;
  readonly lufs: number | null;
}

export function toResult(setting: Setting, outcome: Outcome): ComparedResult | undefined {
  if (outcome.kind !== "done") return undefined;
  const { details, measure } = outcome;
  return {
    setting,
    bytes: details.job.outputs.reduce((sum, { bytes }) => sum + bytes, 0),
    engineMs: engineMsOf(details),
    ssim: measure?.ssim ?? null,
    lufs: measure?.lufs ?? null,
  };
}

function engineMsOf({ phases }: Pick<JobDetails, "phases">): number | null {
  const phase = phases.find(({ name }) => name === "working");
  return phase?.to ? Date.parse(phase.to) - Date.parse(phase.from) : null;
}

/** A point of the curve, as shares of its width and height: right is more similar, up is larger. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  readonly result: ComparedResult;
  /** Whether no other setting is smaller and at least as similar. */
  readonly isBest: boolean;
}

/** The settings as points of size over similarity, by similarity; none if fewer than two are known. */
export function curveOf(results: readonly ComparedResult[]): CurvePoint[] {
  const known = results
    .flatMap((result) => (result.ssim === null ? [] : [{ result, ssim: result.ssim }]))
    .toSorted((one, other) => one.ssim - other.ssim);
  if (known.length < 2) return [];
  const sizes = known.map(({ result }) => result.bytes);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const [low, high] = [known[0]?.ssim ?? 0, known.at(-1)?.ssim ?? 1];
  const share = (value: number, from: number, to: number) =>
    to === from ? 0.5 : (value - from) / (to - from);
  return known.map(({ result, ssim }) => ({
    x: share(ssim, low, high),
    y: share(result.bytes, least, most),
    result,
    isBest: !known.some(
      (other) =>
        other.ssim >= ssim &&
        other.result.bytes <= result.bytes &&
        (other.ssim > ssim || other.result.bytes < result.bytes),
    ),
  }));
}
