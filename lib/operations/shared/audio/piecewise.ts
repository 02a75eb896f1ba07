import type { Interval } from "#lib/engines/ffmpeg/audio/detect-silence.ts";

/** Filters that depend on the time by a list of intervals, which may have thousands of items. */

/** The length, in seconds, of the pieces into which the filters divide the audio. */
export const pieceSeconds = 0.005;

/** Divides audio into pieces, with times from 0. */
export function splitIntoPieces(sampleRate: number): string[] {
  const samples = Math.max(1, Math.round(sampleRate * pieceSeconds));
  return ["asetpts=N/SR/TB", `asetnsamples=n=${samples}:p=0`];
}

/** Filters that remove the sorted `intervals`, exact to a piece. */
export function dropIntervals(intervals: readonly Interval[], sampleRate: number): string[] {
  if (intervals.length === 0) return ["asetpts=N/SR/TB"];
  const isInside = chooseByTime(intervals, ({ start, end }) => {
    return `between(t,${start.toFixed(4)},${end.toFixed(4)})`;
  });
  return [...splitIntoPieces(sampleRate), `aselect='not(${isInside})'`, "asetpts=N/SR/TB"];
}

/**
 * An expression of the time `t` with the value of `express` for the interval that is at that time or
 * nearest to it. It is a balanced tree, so that thousands of intervals cost a few comparisons.
 */
export function chooseByTime(
  intervals: readonly Interval[],
  express: (interval: Interval) => string,
): string {
  const middle = intervals.length >> 1;
  const left = intervals[middle - 1];
  const right = intervals[middle];
  if (!right) return "0";
  if (!left) return express(right);
  const border = ((left.end + right.start) / 2).toFixed(4);
  const before = chooseByTime(intervals.slice(0, middle), express);
  const after = chooseByTime(intervals.slice(middle), express);
  return `if(lt(t,${border}),${before},${after})`;
}
