import { type MediaStream, type Rational, toNumber } from "../media-info.ts";

/** Frames per second for a video of this average rate whose frames are at irregular times. */
export const irregularRate = (average: number) => (average > 30 ? 60 : 30);

/** Frames per second, below which a video is a series of slides. */
export const minSteadyRate = 10;

/**
 * The average frame rate of a video if its frames are at regular times; undefined for a series of slides, too. The
 * nominal rate of interlaced video may be that of fields.
 */
export function steadyRate({
  frameRate,
  averageFrameRate,
}: Pick<MediaStream, "frameRate" | "averageFrameRate">): Rational | undefined {
  const average = toNumber(averageFrameRate);
  const ratio = toNumber(frameRate) / average;
  const isSteady = [1, 2].some((factor) => Math.abs(ratio - factor) <= 0.05 * factor);
  return isSteady && average >= minSteadyRate ? averageFrameRate : undefined;
}
