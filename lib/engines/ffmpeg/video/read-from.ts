import { seekTo } from "../arguments.ts";
import type { MediaInfo } from "../media-info.ts";
import { delayBy, keepTimes } from "../packet-arguments.ts";
import type { VideoPacket } from "./read-packets.ts";

interface PacketSource {
  readonly info: MediaInfo;
  /** The packets in the order of decoding. */
  readonly packets: readonly VideoPacket[];
}

/** Formats whose index leads to a key frame. In others a seek may end after the requested time. */
const indexedFormats = /^(mov|matroska)/;

/** Formats without an index, in which a seek may find nothing. They are read from the start. */
const unindexedFormats = /^flv/;

/** How long before the key frame a seek starts, in seconds, in a file without an index. */
const lead = 10;
/** The same in a file with an index. */
const indexedLead = 1;

/** Input arguments that read from the key frame before `start`; `start` becomes time 0. */
export function readFrom({ info, packets }: PacketSource, start: number): string[] {
  const shown = shownAt(packets, start);
  const key = packets.findLast(({ isKey, time }) => isKey && time <= shown)?.time ?? 0;
  const isIndexed = indexedFormats.test(info.format);
  const before = Math.min(key, start) - (isIndexed ? indexedLead : lead);
  const early = unindexedFormats.test(info.format) ? 0 : Math.max(0, before);
  const from = isIndexed && !decodesLaterKey(packets, shown, start) ? start : early;
  const seek = from > 0 ? seekTo(from) : [];
  if (info.format === "ogg") return start > 0 ? [...keepTimes, ...seek, ...delayBy(-start)] : [];
  return [...seek, ...(from < start ? delayBy(from - start) : [])];
}

/**
 * Whether a key frame that is shown after the frame at `shown` is decoded before `start`. A seek in MP4
 * compares decode times, so it would end at this key frame; the frames before it would be lost.
 */
function decodesLaterKey(packets: readonly VideoPacket[], shown: number, start: number): boolean {
  return packets.some(
    ({ isKey, time, decodeTime = time }) => isKey && time > shown && decodeTime < start + 0.05,
  );
}

/** The time of the frame that is on screen at `seconds`, or of the first frame. */
export function shownAt(packets: readonly VideoPacket[], seconds: number): number {
  let shown = Number.NEGATIVE_INFINITY;
  let first = Number.POSITIVE_INFINITY;
  for (const { time } of packets) {
    if (time <= seconds + 0.0006) shown = Math.max(shown, time);
    first = Math.min(first, time);
  }
  return Number.isFinite(shown) ? shown : first;
}
