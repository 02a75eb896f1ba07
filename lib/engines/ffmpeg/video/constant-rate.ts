import type { Rational } from "../media-info.ts";

/**
 * The filter that makes the frame rate of `seconds` of video constant; `rate` in frames/s. A video shorter
 * than a frame at this rate keeps its frame, instead of being rounded to none.
 */
export function constantRate(rate: number | Rational, seconds: number | undefined): string {
  const { numerator, denominator } =
    typeof rate === "number" ? { numerator: rate, denominator: 1 } : rate;
  const isBrief = seconds !== undefined && (seconds * numerator) / denominator < 1;
  return `fps=${numerator}/${denominator}${isBrief ? ":eof_action=pass" : ""}`;
}
