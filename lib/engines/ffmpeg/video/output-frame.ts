import { limitError, widestLimits } from "#lib/limits/limits.ts";
import type { Frame } from "../video-frame.ts";

/** Rounds both sides to the nearest multiples of `step`, at least one step, in pixels. */
export function roundFrame({ width, height }: Frame, step: number): Frame {
  const round = (side: number) => Math.max(step, Math.round(side / step) * step);
  return { width: round(width), height: round(height) };
}

/**
 * Returns `frame` if it is no larger than the frames that are accepted; else throws `too_complex`.
 */
export function requireFrame(frame: Frame): Frame {
  const { framePixels, frameSide } = widestLimits;
  if (Math.max(frame.width, frame.height) > frameSide) throw limitError("frameSide", frameSide);
  if (frame.width * frame.height > framePixels) throw limitError("framePixels", framePixels);
  return frame;
}
