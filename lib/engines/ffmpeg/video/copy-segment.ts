import { encodeAs, limitDuration, mapStream } from "../arguments.ts";
import { runFfmpeg } from "../ffmpeg.ts";
import { probe, requireVideo } from "../ffprobe.ts";
import { mapStreams } from "../map-streams.ts";
import type { MediaInfo, MediaStream } from "../media-info.ts";
import { dropPacketsOutside, filterPackets, setTimescale } from "../packet-arguments.ts";
import { type VideoContainerId, videoContainer } from "../video-formats.ts";
import type { VideoStream } from "../video-frame.ts";
import type { VideoFile } from "./filter-video.ts";
import type { Segment } from "./playlist.ts";
import { readVideoPackets } from "./read-packets.ts";

/** A segment whose streams are known. */
export interface CopiedSegment extends Segment {
  readonly info: MediaInfo;
  readonly video: VideoStream;
}

/** In these containers, streams have the order in which they were written. */
const orderedContainers: readonly VideoContainerId[] = ["mp4", "mov", "3gp", "mkv", "webm"];

/**
 * Copies a whole video to a scratch file that can follow another one in a playlist: audio starts and
 * ends with the video. Cover art, subtitles and chapters are not copied. Throws what `runFfmpeg` and
 * `probe` throw.
 */
export async function copySegment(
  file: VideoFile,
  container: VideoContainerId,
): Promise<CopiedSegment> {
  const { input, info, video, work, signal } = file;
  const seconds = await measureVideo(file);
  const streams = info.streams.filter(({ attachedPicture }) => !attachedPicture);
  const scratch = work.scratch(container);
  const tracks = streams.filter(({ type, codec }) => type === "audio" && codec !== undefined);
  const isIso = ["mp4", "mov"].includes(container);
  const { frames } = await runFfmpeg({
    work,
    signal,
    inputs: [{ file: input }],
    outputs: [
      {
        file: scratch,
        args: [
          ...mapStream(video.index),
          ...encodeAs("v", 0, "copy"),
          ...mapStreams({ ...info, streams }, video, container, { dropTimedText: true, work }),
          ...tracks.flatMap((_, track) => filterPackets("a", track, [dropPacketsOutside(-0.001)])),
          ...limitDuration(Math.max(0.001, seconds - 0.001)),
          ...(isIso && video.timeBase ? setTimescale(video.timeBase.denominator) : []),
        ],
      },
    ],
  });
  const { audio } = videoContainer(container);
  const areCopies = tracks.every(({ codec = "" }) => audio === "any" || audio.includes(codec));
  const isKnown = frames > 0 && areCopies && orderedContainers.includes(container);
  const copied = isKnown
    ? takeStreams(info, [video, ...tracks])
    : await probe(scratch, work, signal);
  const written = { info: copied, video: requireVideo(copied) };
  return { file: scratch, seconds: frames === 0 ? 0 : seconds, ...written };
}

/** What a file with copies of these streams has. */
function takeStreams(info: MediaInfo, streams: readonly MediaStream[]): MediaInfo {
  return { ...info, streams: streams.map((stream, index) => ({ ...stream, index })) };
}

/** When the last frame ends, in seconds from the start of the file. */
async function measureVideo({ input, info, video, work, signal }: VideoFile): Promise<number> {
  const packets = await readVideoPackets(input, info, video, work, signal);
  const times = packets.map(({ time }) => time).sort((a, b) => a - b);
  const last = times.at(-1) ?? 0;
  const span = last - (times[0] ?? 0);
  return last + (times.length > 1 ? span / (times.length - 1) : (info.duration ?? 0.04));
}
