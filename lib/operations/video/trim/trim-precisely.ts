import { alphaDecoder } from "#lib/engines/ffmpeg/alpha.ts";
import { encodeAs, limitDuration, mapStream } from "#lib/engines/ffmpeg/arguments.ts";
import { type FfmpegInput, runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { mapStreams } from "#lib/engines/ffmpeg/map-streams.ts";
import {
  delayBy,
  dropPacketsOutside,
  filterPackets,
  hevcTag,
  keepTimescale,
  setCodecTag,
} from "#lib/engines/ffmpeg/packet-arguments.ts";
import { chooseEncoding, isInterlaced } from "#lib/engines/ffmpeg/video/choose-encoding.ts";
import { filterVideo, outputOf, type VideoOutput } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { writePlaylist } from "#lib/engines/ffmpeg/video/playlist.ts";
import { readFrom } from "#lib/engines/ffmpeg/video/read-from.ts";
import { leavesOutFrames } from "#lib/engines/ffmpeg/video/read-packets.ts";
import { rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import { hasFrames, keepFrames } from "./frame-range.ts";
import { type Range, tolerance } from "./plan-cuts.ts";
import { makeSegments } from "./segments.ts";
import type { TrimRequest } from "./trim-request.ts";

/**
 * Trims a video to exactly the frames of the cuts. The packets between the cuts are copied if codec
 * and container allow that; otherwise all frames are encoded again. Audio and subtitles are copied.
 * Throws what `runFfmpeg` throws.
 */
export async function trimPrecisely(request: TrimRequest): Promise<VideoOutput> {
  const { range, copied } = request.cuts;
  const isIncomplete = leavesOutFrames(request.packets, request.video);
  if (!copied || isIncomplete || hasNoTimestamps(request)) return encodeFrames(request);
  const isWhole =
    !hasFrames(request, { start: range.start, end: copied.start }) && copied.end === range.end;
  if (isWhole) return copyPackets(request, copied);
  const segments = canJoin(request) ? await makeSegments(request, { range, copied }) : undefined;
  if (!segments) return encodeFrames(request);
  const playlist = await writePlaylist(segments.list, request.work);
  const delay = segments.start - range.start;
  const args = [...(playlist.args ?? []), ...(delay > tolerance ? delayBy(delay) : [])];
  const { video, input } = request;
  const hasTag = /^(mp4|mov)$/.test(chooseEncoding(input.type.id, video).container);
  const tag = video.codec === "hevc" && hasTag ? setCodecTag(hevcTag(video)) : [];
  return writeStreams(request, [{ ...playlist, args }], [...mapStream(0, 1), ...tag]);
}

/** Codecs that can be joined, by container: the decoder gets the parameters of both encodings. */
const joinable: Readonly<Record<string, readonly string[]>> = {
  h264: ["mp4", "mov", "mkv", "3gp", "mpegts"],
  hevc: ["mp4", "mov", "mkv", "mpegts"],
  vp8: ["mkv", "webm"],
  vp9: ["mkv", "webm", "mp4"],
  av1: ["mkv", "webm", "mp4"],
};

function canJoin({ input, video }: TrimRequest): boolean {
  const { container } = chooseEncoding(input.type.id, video);
  const isJoinable = joinable[video.codec ?? ""]?.includes(container) ?? false;
  return isJoinable && !isInterlaced(video) && alphaDecoder(video).length === 0;
}

/**
 * Whether the copied packets can start with a key frame of an open GOP: HEVC says of each picture
 * whether a stream can start with it. The packets of MPEG-TS are not changed for that.
 */
export function canStartOpenGop({ input, video }: Pick<TrimRequest, "input" | "video">): boolean {
  const { container } = chooseEncoding(input.type.id, video);
  return video.codec === "hevc" && container !== "mpegts" && !isInterlaced(video);
}

/** In AVI, audio starts with the video, so that packets of audio cannot start a little later. */
function hasNoTimestamps({ info }: TrimRequest): boolean {
  return info.format === "avi";
}

/** Copies the packets of all streams. */
export function copyPackets(request: TrimRequest, copied: Range): Promise<VideoOutput> {
  const { input, video, cuts } = request;
  const from = cuts.range.start + tolerance;
  const drop = dropPacketsOutside(copied.start - from, copied.end - from);
  const { container } = chooseEncoding(input.type.id, video);
  return writeStreams(
    request,
    [],
    [
      ...mapStream(video.index),
      ...filterPackets("v", 0, [drop]),
      ...keepTimescale(container, video),
    ],
  );
}

/** Writes the video, whose packets are copied, with the other streams of the input. */
async function writeStreams(
  request: TrimRequest,
  videos: readonly FfmpegInput[],
  videoArguments: readonly string[],
): Promise<VideoOutput> {
  const { input, info, video, cuts, work, signal, progress } = request;
  const { container } = chooseEncoding(input.type.id, video);
  const output = outputOf(request, container);
  const { start, end } = cuts.range;
  const duration = end - start;
  const args = [
    ...videoArguments,
    ...encodeAs("v", 0, "copy"),
    ...mapStreams(info, video, container, { fromZero: true, work }),
    ...limitDuration(duration),
  ];
  const { frames } = await runFfmpeg({
    work,
    signal,
    progress,
    duration,
    inputs: [{ file: input, args: readFrom(request, start) }, ...videos],
    outputs: [{ file: output, args }],
  });
  if (frames === 0) throw new JobError("corrupt", "The video in this file cannot be decoded.");
  const { width, height } = rotatedFrame(video);
  return { ...output, width, height, duration };
}

/** Encodes all frames of the range again. */
function encodeFrames(request: TrimRequest): Promise<VideoOutput> {
  const { range } = request.cuts;
  const duration = range.end - range.start;
  return filterVideo({
    ...request,
    filters: keepFrames(request, range),
    fromZero: true,
    ...(hasNoTimestamps(request)
      ? { audioFilters: () => ["atrim=start=0", "aresample=async=1:first_pts=0"] }
      : {}),
    duration,
    inputArguments: readFrom(request, range.start),
    outputArguments: limitDuration(duration),
  });
}
