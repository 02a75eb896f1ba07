import { seekTo } from "#lib/engines/ffmpeg/arguments.ts";
import { delayBy } from "#lib/engines/ffmpeg/packet-arguments.ts";
import { type Range, tolerance } from "./plan-cuts.ts";
import type { TrimRequest } from "./trim-precisely.ts";

/** Formats whose index leads to a key frame. In others a seek may end after the requested time. */
const indexedFormats = /^(mov|matroska)/;

/** Formats without an index, in which a seek may find nothing. They are read from the start. */
const unindexedFormats = /^flv/;

/** Seconds. */
const lead = 10;

/** Input arguments that read from the key frame before `start`; `start` becomes time 0. */
export function readFrom({ info, packets }: TrimRequest, start: number): string[] {
  const shown = lastBefore(packets, start);
  const key = packets.findLast(({ isKey, time }) => isKey && time <= shown)?.time ?? 0;
  const early = unindexedFormats.test(info.format) ? 0 : Math.max(0, Math.min(key, start) - lead);
  const from = indexedFormats.test(info.format) ? start : early;
  return [...(from > 0 ? seekTo(from) : []), ...(from < start ? delayBy(from - start) : [])];
}

/** Filters that keep the frames shown in `range`, whose start is time 0. */
export function keepFrames({ packets }: TrimRequest, { start, end }: Range): string[] {
  const first = lastBefore(packets, start) - start - tolerance;
  const last = end - start - tolerance;
  // A frame that was already on screen is shown from time 0.
  return [`trim=start=${first.toFixed(6)}:end=${last.toFixed(6)}`, "setpts='round(max(0,PTS))'"];
}

/** Whether a frame is shown in `range`, apart from frames that start with its end. */
export function hasFrames({ packets }: TrimRequest, { start, end }: Range): boolean {
  const shown = lastBefore(packets, start);
  return packets.some(({ time }) => time >= shown - tolerance && time < end - tolerance);
}

/** The time of the frame that is on screen at `seconds`, or of the first frame. */
function lastBefore(packets: TrimRequest["packets"], seconds: number): number {
  let shown = Number.NEGATIVE_INFINITY;
  let first = Number.POSITIVE_INFINITY;
  for (const { time } of packets) {
    if (time <= seconds + tolerance) shown = Math.max(shown, time);
    first = Math.min(first, time);
  }
  return Number.isFinite(shown) ? shown : first;
}
