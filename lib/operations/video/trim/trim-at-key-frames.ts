import type { VideoOutput } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { nextBoundary } from "./plan-cuts.ts";
import { copyPackets } from "./trim-precisely.ts";
import type { TrimRequest } from "./trim-request.ts";

/**
 * Trims a video without encoding: it starts with the key frame on screen at the start of the range or
 * before it. Throws what `runFfmpeg` throws.
 */
export function trimAtKeyFrames(request: TrimRequest): Promise<VideoOutput> {
  const { packets, cuts } = request;
  const isBefore = (time: number) => time <= cuts.range.start + 0.001;
  const key = packets.findLast(({ isKey, time }) => isKey && isBefore(time));
  // A frame before the end may need one that is shown after it.
  const end = nextBoundary(packets, cuts.range.end, cuts.total);
  const range = { start: key?.time ?? cuts.range.start, end };
  return copyPackets({ ...request, cuts: { ...cuts, range, copied: range } }, range);
}
