import { JobError } from "#lib/errors.ts";
import { encodeAs, mapStream } from "../arguments.ts";
import { runFfmpeg, writtenDuration } from "../ffmpeg.ts";
import { mapStreams, type StreamChanges } from "../map-streams.ts";
import { toVideoContainer } from "../video-formats.ts";
import { rotatedFrame } from "../video-frame.ts";
import { outputOf, type VideoFile, type VideoOutput } from "./filter-video.ts";

export interface VideoCopyRequest extends VideoFile, StreamChanges {
  /** Options of the output; see `arguments.ts`. */
  readonly outputArguments?: readonly string[];
}

/**
 * Writes the packets of a video to the same container again; other streams as `mapStreams`. Throws
 * `JobError("corrupt")` if there is no packet, and what `runFfmpeg` throws.
 */
export async function copyVideo(request: VideoCopyRequest): Promise<VideoOutput> {
  const { input, info, video, work, signal, progress } = request;
  const container = toVideoContainer(input.type.id);
  const output = outputOf(request, container);
  const args = [
    ...[...mapStream(video.index), ...encodeAs("v", 0, "copy")],
    ...mapStreams(info, video, container, request),
    ...(request.outputArguments ?? []),
  ];
  const { frames, seconds } = await runFfmpeg({
    work,
    signal,
    progress,
    duration: info.duration,
    inputs: [{ file: input }],
    outputs: [{ file: output, args }],
  });
  if (frames === 0) throw new JobError("corrupt", "The video in this file cannot be read.");
  const { width, height } = rotatedFrame(video);
  return { ...output, width, height, duration: writtenDuration(info.duration, seconds) };
}
