import { JobError } from "#lib/errors.ts";
import { encodeAs, mapStream } from "../arguments.ts";
import { type Chapter, writeChapters } from "../audio/chapters.ts";
import { runFfmpeg, writtenDuration } from "../ffmpeg.ts";
import { mapStreams, type StreamChanges } from "../map-streams.ts";
import { filterPackets } from "../packet-arguments.ts";
import { toVideoContainer, type VideoContainerId } from "../video-formats.ts";
import { rotatedFrame } from "../video-frame.ts";
import { filterVideo, outputOf, type VideoFile, type VideoOutput } from "./filter-video.ts";
import { leavesOutFrames, readVideoPackets } from "./read-packets.ts";

export interface VideoCopyRequest extends VideoFile, Omit<StreamChanges, "work"> {
  /** Bit stream filters of the video. */
  readonly packets?: readonly string[];
  /** The container of the output; that of the input by default. */
  readonly container?: VideoContainerId;
  /** Replaces the chapters, if times change. By default they are kept. */
  readonly chapters?: readonly Chapter[] | undefined;
  /** The duration in seconds; by default that of the input. */
  readonly duration?: number | undefined;
  /** Options of the output; see `arguments.ts`. */
  readonly outputArguments?: readonly string[];
}

/**
 * Writes the packets of a video to the same container again; other streams as `mapStreams`. Theora that
 * repeats frames is encoded. Throws
 * `JobError("corrupt")` if there is no packet, and what `runFfmpeg` throws.
 */
export async function copyVideo(request: VideoCopyRequest): Promise<VideoOutput> {
  const { input, info, video, work, signal, progress } = request;
  const container = request.container ?? toVideoContainer(input.type.id);
  if (video.codec === "theora" && container === "ogv") {
    const packets = await readVideoPackets(input, info, video, work, signal);
    if (leavesOutFrames(packets, video)) return filterVideo({ ...request, filters: [] });
  }
  const output = outputOf(request, container);
  const duration = request.duration ?? info.duration;
  const chapters = request.chapters && (await writeChapters(request.chapters, 1, work));
  const args = [
    ...mapStream(video.index),
    ...encodeAs("v", 0, "copy"),
    ...(request.packets ? filterPackets("v", 0, request.packets) : []),
    ...mapStreams(info, video, container, request),
    ...(request.outputArguments ?? []),
    ...(chapters?.args ?? []),
  ];
  const { frames, seconds } = await runFfmpeg({
    work,
    signal,
    progress,
    duration,
    inputs: [{ file: input }, ...(chapters?.input ? [chapters.input] : [])],
    outputs: [{ file: output, args }],
  });
  if (frames === 0) throw new JobError("corrupt", "The video in this file cannot be read.");
  const { width, height } = rotatedFrame(video);
  return { ...output, width, height, duration: writtenDuration(duration, seconds) };
}
