import { shownAt } from "#lib/engines/ffmpeg/video/read-from.ts";
import { type Range, tolerance } from "./plan-cuts.ts";
import type { TrimRequest } from "./trim-request.ts";

/** Filters that keep the frames shown in `range`, whose start is time 0. */
export function keepFrames({ packets }: TrimRequest, { start, end }: Range): string[] {
  const first = shownAt(packets, start) - start - tolerance;
  const last = end - start - tolerance;
  // A frame that was already on screen is shown from time 0.
  return [`trim=start=${first.toFixed(6)}:end=${last.toFixed(6)}`, "setpts='round(max(0,PTS))'"];
}

/** Whether a frame is shown in `range`, apart from frames that start with its end. */
export function hasFrames({ packets }: TrimRequest, { start, end }: Range): boolean {
  const shown = shownAt(packets, start);
  return packets.some(({ time }) => time >= shown - tolerance && time < end - tolerance);
}
