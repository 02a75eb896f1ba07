import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";
import { maxSide } from "#lib/operations/fields/index.ts";
import type { FrameTimes } from "../../shared/video/sample-frames.ts";

/** Browsers keep the whole image in memory: four bytes for each pixel. */
const maxPixels = 50_000_000;

const maxFrames = 2000;

export interface SpritePlan {
  readonly times: FrameTimes;
  readonly rows: number;
  /** The seconds that each frame stands for. */
  readonly interval: number;
}

/**
 * A frame from the middle of each `interval` of `duration`, both in seconds. If one image cannot have as
 * many, the interval is lengthened.
 */
export function planSprites(
  duration: number,
  interval: number,
  columns: number,
  frame: Frame,
): SpritePlan {
  const perPixels = maxPixels / (frame.width * columns) / frame.height;
  const mostRows = Math.max(1, Math.floor(Math.min(maxSide / frame.height, perPixels)));
  const most = Math.min(maxFrames, mostRows * columns);
  // Durations are rounded to a millisecond or less.
  const wanted = Math.max(1, Math.ceil((duration - 0.001) / interval));
  const step = wanted > most ? roundUp(duration / most) : interval;
  const count = Math.min(most, Math.max(1, Math.ceil((duration - 0.001) / step)));
  // The last interval is shorter.
  const first = Math.min(step, duration) / 2;
  return { times: { first, step, count }, rows: Math.ceil(count / columns), interval: step };
}

/** Rounds up to a tenth of a second. */
function roundUp(seconds: number): number {
  return Math.ceil(seconds * 10 - 1e-6) / 10;
}
