import type { Interval } from "#lib/engines/ffmpeg/audio/detect-silence.ts";
import { pieceSeconds } from "../../shared/audio/piecewise.ts";

/**
 * What is removed of audio that lasts `duration` seconds, so that its `silences` last `kept` seconds at
 * most: their middle, so that sounds neither start nor end abruptly, and of one at the start or the end
 * of the audio all but half of `kept`. Silence alone is removed completely.
 */
export function planCuts(
  silences: readonly Interval[],
  duration: number,
  kept: number,
): Interval[] {
  // Cuts are exact to a piece.
  const margin = Math.max(pieceSeconds, kept / 2 - pieceSeconds);
  return silences
    .map(({ start, end }) => ({
      start: start <= pieceSeconds ? 0 : start + margin,
      end: end >= duration - pieceSeconds ? duration : end - margin,
    }))
    .filter(({ start, end }) => end - start > pieceSeconds);
}
