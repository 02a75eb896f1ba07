import { encodeAs, limitDuration, mapStream } from "../arguments.ts";
import { runFfmpeg } from "../ffmpeg.ts";
import { probe, requireVideo } from "../ffprobe.ts";
import { mapStreams } from "../map-streams.ts";
import type { MediaInfo, MediaStream } from "../media-info.ts";
import { dropPacketsOutside, filterPackets, keepTimescale } from "../packet-arguments.ts";
import { type VideoContainerId, videoContainer } from "../video-formats.ts";
import type { VideoStream } from "../video-frame.ts";
import type { VideoFile } from "./filter-video.ts";
import { measureVideo } from "./measure-video.ts";
import type { Segment } from "./playlist.ts";

/** A segment whose streams are known. */
export interface CopiedSegment extends Segment {
  readonly info: MediaInfo;
  readonly video: VideoStream;
}

/** In these containers, streams have the order in which they were written. */
const orderedContainers: readonly VideoContainerId[] = ["mp4", "mov", "3gp", "mkv", "webm"];

/**
 * Copies a whole video to a scratch file that can follow another one in a playlist: audio starts and
 * ends with the video, whose last frame is held as `measureVideo` says. Cover art, subtitles and chapters
 * are not copied. Throws what `runFfmpeg` and `probe` throw.
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
          ...keepTimescale(container, video),
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
