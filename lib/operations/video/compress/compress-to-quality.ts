import { copyVideo } from "#lib/engines/ffmpeg/video/copy-video.ts";
import {
  filterVideo,
  type VideoFile,
  type VideoOutput,
} from "#lib/engines/ffmpeg/video/filter-video.ts";
import { targetFormat } from "#lib/engines/ffmpeg/video/target-format.ts";
import { displayedFrame, evenFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import { rateControlArguments } from "../../shared/video/rate-control.ts";

/** Constant rate factor of x264, and bit/s of each audio track, which has at most two channels. */
const qualities = {
  low: { crf: 32, audioBitRate: 64_000 },
  medium: { crf: 27, audioBitRate: 96_000 },
  high: { crf: 23, audioBitRate: 128_000 },
};

/**
 * Encodes a video in H.264 and AAC with a quality. An MP4 of H.264 that would not become smaller than
 * its `bytes` is copied. Throws what `runFfmpeg` throws.
 */
export async function compressToQuality(
  file: VideoFile,
  quality: keyof typeof qualities,
  bytes: number,
): Promise<VideoOutput> {
  const { input, video } = file;
  const { crf, audioBitRate } = qualities[quality];
  const { encoding, filters } = targetFormat(video, "h264", "mp4");
  const frame = evenFrame(displayedFrame(video));
  const output = await filterVideo({
    ...file,
    encoding,
    frame,
    filters: [`scale=${frame.width}:${frame.height}`, "setsar=1", ...filters],
    audioEncoding: { format: "m4a", bitRate: audioBitRate, channels: 2 },
    codecArguments: (size) => rateControlArguments("h264", "mp4", size, { crf, preset: "medium" }),
  });
  const isCopyable = input.type.id === "mp4" && video.codec === "h264";
  const { size } = await statRegular(output.path);
  return isCopyable && size >= bytes ? copyVideo(file) : output;
}
