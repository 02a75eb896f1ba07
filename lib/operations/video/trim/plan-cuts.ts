import type { VideoPacket } from "#lib/engines/ffmpeg/video/read-packets.ts";

/** Decides which frames of a trimmed video are encoded again and which packets are copied. */

/** A range in seconds from the start of the input; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Cuts {
  /** The range of the output, moved to the nearest frames. */
  readonly range: Range;
  /**
   * The packets that are copied: they start with a key frame, and no frame needs one outside. Packets
   * after the key frame whose frames are shown before it are not among them.
   */
  readonly copied: Range | undefined;
  /** The duration of the input. */
  readonly total: number;
}

/** A cut moves to a frame that is nearer than this, in seconds. A frame may be shown for longer. */
const maxMove = 0.05;

/** Times that differ by less are equal, in seconds. Containers round to milliseconds. */
export const tolerance = 0.0006;

/**
 * Plans the cuts of a video with `packets` (in the order of decoding) that lasts `total` seconds.
 * A range that ends after the video ends with it. Undefined if no frame is in the range. With
 * `dropsLeading`, the copied packets can start with a key frame of an open GOP, without the frames
 * that are stored after it and shown before it; no later frame needs these.
 */
export function planCuts(
  packets: readonly VideoPacket[],
  { start, end }: Range,
  total: number,
  dropsLeading = false,
): Cuts | undefined {
  const times = packets.map(({ time }) => time).sort((a, b) => a - b);
  const last = times.at(-1);
  if (last === undefined || start >= total) return undefined;
  const range = {
    start: moveToFrame(times, start),
    end: end >= total ? total : moveToFrame([...times, total], end),
  };
  if (range.end - range.start < tolerance || !isShown(times, range)) return undefined;
  return { range, copied: findCopied(packets, range, dropsLeading), total };
}

/** Whether a frame is on screen in `range`: one that starts before its end. */
function isShown(times: readonly number[], { end }: Range): boolean {
  return (times[0] ?? Number.POSITIVE_INFINITY) < end - tolerance;
}

/** The time of the frame nearest to `seconds`, if it is near; else `seconds`. */
function moveToFrame(times: readonly number[], seconds: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const time of times) {
    if (Math.abs(time - seconds) <= Math.abs(nearest - seconds)) nearest = time;
  }
  return Math.abs(nearest - seconds) <= maxMove ? nearest : seconds;
}

/**
 * The longest range of packets in `range` that can be copied: from a key frame to a packet after which
 * no earlier frame follows.
 */
function findCopied(
  packets: readonly VideoPacket[],
  range: Range,
  dropsLeading: boolean,
): Range | undefined {
  const boundaries = findBoundaries(packets);
  const starts = boundaries.flatMap(({ time, keyTime }) =>
    keyTime !== undefined && (dropsLeading || keyTime === time) ? [keyTime] : [],
  );
  const start = starts.find((time) => time >= range.start - tolerance && time < range.end);
  if (start === undefined) return undefined;
  const last = boundaries.findLast(({ time }) => time <= range.end + tolerance);
  // All packets after the last boundary are in the range, too.
  const isOpen = packets.every(({ time }) => time < range.end - tolerance);
  const end = isOpen ? range.end : (last?.time ?? start);
  return end > start + tolerance ? { start, end } : undefined;
}

/** The first time from `seconds` on at which the packets may end: `total` if there is none before. */
export function nextBoundary(
  packets: readonly VideoPacket[],
  seconds: number,
  total: number,
): number {
  const next = findBoundaries(packets).find(({ time }) => time >= seconds - tolerance);
  return Math.min(next?.time ?? total, total);
}

interface Boundary {
  /** When the first frame after it is shown. */
  readonly time: number;
  /** When the first packet after it is shown, if it is a key frame. */
  readonly keyTime: number | undefined;
}

/** The packets before which all frames are earlier and after which all are later. */
function findBoundaries(packets: readonly VideoPacket[]): Boundary[] {
  const boundaries: Boundary[] = [];
  let firstAfter = Number.POSITIVE_INFINITY;
  const earliest = packets.map(() => 0);
  for (const [index, { time }] of [...packets.entries()].reverse()) {
    firstAfter = Math.min(firstAfter, time);
    earliest[index] = firstAfter;
  }
  let latest = Number.NEGATIVE_INFINITY;
  for (const [index, { time, isKey }] of packets.entries()) {
    const next = earliest[index] ?? time;
    if (latest < next) boundaries.push({ time: next, keyTime: isKey ? time : undefined });
    latest = Math.max(latest, time);
  }
  return boundaries;
}
