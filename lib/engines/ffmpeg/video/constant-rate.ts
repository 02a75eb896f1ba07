import { type Rational, toNumber } from "../media-info.ts";

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

/**
 * Filters for a part of a video that begins `begin` seconds after decoding does, and has `seconds` until the end of the
 * video. Its first frame, at time 0, is the one on screen at `begin`.
 */
export function constantRateFrom(
  begin: number,
  rate: number | Rational,
  seconds: number | undefined,
): string[] {
  const shift = `setpts=PTS-${begin.toFixed(6)}/TB`;
  return [shift, `${constantRate(rate, seconds)}:start_time=0`];
}

/** Frames/s that a part needs to begin and end at its times. Slides have fewer. */
const minPartRate = 5;

/** The lowest multiple of `rate` that is enough for a part of the video. */
export function partRate(rate: Rational): Rational {
  const times = Math.max(1, Math.ceil(minPartRate / toNumber(rate)));
  return { numerator: rate.numerator * times, denominator: rate.denominator };
}
