import { constantRate } from "#lib/engines/ffmpeg/video/constant-rate.ts";
import { copyVideo } from "#lib/engines/ffmpeg/video/copy-video.ts";
import {
  filterVideo,
  type VideoFile,
  type VideoOutput,
} from "#lib/engines/ffmpeg/video/filter-video.ts";
import { requireFrame, roundFrame } from "#lib/engines/ffmpeg/video/output-frame.ts";
import { targetFormat } from "#lib/engines/ffmpeg/video/target-format.ts";
import { videoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { displayedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import { rateControlArguments } from "../../shared/video/rate-control.ts";
import { resizedFrame } from "../../shared/video/resized-frame.ts";
import { audioFormatOfCodec, chooseCodec, type TranscodeParams } from "./formats.ts";

/**
 * Converts a video. Throws `JobError("unsupported_type")` if the container cannot hold a codec that is
 * to be copied, and what `runFfmpeg` throws.
 */
export async function transcodeVideo(
  file: VideoFile,
  params: TranscodeParams,
): Promise<VideoOutput> {
  const { video } = file;
  const { format: container, audio_codec: audio, audio_bitrate: bitRate } = params;
  const format = audio && audioFormatOfCodec[audio];
  const changes = {
    dropAudio: audio === "none",
    ...(format || bitRate ? { audioEncoding: { format, bitRate } } : {}),
  };
  requireHeldAudio(file, params);
  const codec = chooseCodec(params);
  if (codec === "copy") {
    const { video: held } = videoContainer(container);
    const isHeld = held.includes(video.codec ?? "");
    if (isHeld) return copyVideo({ ...file, ...changes, container });
    throw notHeld("video", video.codec, container);
  }
  const { encoding, filters } = targetFormat(video, codec === "h265" ? "hevc" : codec, container);
  const source = displayedFrame(video);
  const { width, height, fps, quality: crf, bitrate, preset = "fast" } = params;
  const isResized = width !== undefined || height !== undefined;
  const wanted = isResized ? resizedFrame(source, width, height, "inside").frame : source;
  const frame = requireFrame(roundFrame(wanted, 2));
  return filterVideo({
    ...file,
    ...changes,
    encoding,
    frame,
    filters: [
      ...(fps === undefined ? [] : [constantRate(fps, file.info.duration)]),
      `scale=${frame.width}:${frame.height}`,
      "setsar=1",
      ...filters,
    ],
    codecArguments: (size) =>
      rateControlArguments(encoding.codec, container, size, { crf, bitRate: bitrate, preset }),
    ...(fps === undefined ? {} : { timeArguments: [] }),
  });
}

/** Throws if audio is to be copied that the container does not hold. */
function requireHeldAudio({ info }: VideoFile, { format, audio_codec }: TranscodeParams): void {
  const { audio } = videoContainer(format);
  if (audio_codec !== "copy" || audio === "any") return;
  const other = info.streams.find(
    ({ type, codec }) => type === "audio" && codec !== undefined && !audio.includes(codec),
  );
  if (other) throw notHeld("audio", other.codec, format);
}

function notHeld(what: string, codec = "unknown", container: string): JobError {
  const message = `The ${what} of this file, ${codec}, cannot be copied to ${container}.`;
  return new JobError("unsupported_type", message);
}
