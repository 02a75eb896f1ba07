import { alphaDecoder, putOnBlack } from "#lib/engines/ffmpeg/alpha.ts";
import {
  copyFlipped,
  keepFilterGraphOf,
  keepFrameTimes,
  mapGraphOutput,
  readAs,
  setColorRange,
  setStreamTag,
} from "#lib/engines/ffmpeg/arguments.ts";
import { runFfmpeg, writtenDuration } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { mapStreams } from "#lib/engines/ffmpeg/map-streams.ts";
import type { MediaInfo } from "#lib/engines/ffmpeg/media-info.ts";
import { keepHdrMetadata } from "#lib/engines/ffmpeg/video/hdr-metadata.ts";
import { type VideoContainerId, videoCodecArguments } from "#lib/engines/ffmpeg/video-formats.ts";
import {
  chooseColorMatrix,
  evenFrame,
  type Frame,
  fitFrameFilters,
  rotatedFrame,
  type VideoStream,
} from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { ImageInfo } from "#lib/engines/worker/image/image-info.ts";
import { JobError } from "#lib/errors.ts";
import type { MediaType } from "#lib/media/types.ts";

export interface OverlayRequest {
  readonly input: WorkFile & { readonly type: MediaType };
  readonly info: MediaInfo;
  readonly video: VideoStream;
  /** A PNG from a worker. */
  readonly image: { readonly file: WorkFile; readonly width: number; readonly height: number };
  /** The top left corner of the image, in pixels of the displayed frame. */
  readonly x: number;
  readonly y: number;
  /** The opacity from 0 to 1. */
  readonly opacity?: number;
  /** When the image is shown, in seconds from the start of the video; always by default. */
  readonly range?: { readonly start: number; readonly end: number | undefined };
  readonly container: "mp4" | "webm";
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress?: (percent: number) => void;
}

/**
 * Overlays an image on the frames of a video. Writes H.264 in MP4 (10-bit HEVC if the video is
 * HDR) or VP9 in WebM. Frame times, audio, subtitles, chapters and tags are kept. Returns the
 * output with its duration in seconds. Throws what `runFfmpeg` throws.
 */
export async function overlayImage(
  request: OverlayRequest,
): Promise<WorkFile & { duration: number } & Frame> {
  const { input, info, video, image, container, work, signal, progress } = request;
  const file = work.output(container);
  const output = chooseOutputVideo(video, container);
  const { frames, seconds } = await runFfmpeg({
    work,
    signal,
    progress,
    duration: info.duration,
    frame: video,
    inputs: [
      { file: input, args: [...alphaDecoder(video), ...keepFilterGraphOf(video)] },
      { file: image.file, args: readAs("png_pipe") },
    ],
    filterGraphs: buildFilterGraphs(request, output),
    outputs: [
      {
        file,
        args: [
          ...mapGraphOutput("video"),
          ...(await keepHdrMetadata(
            videoCodecArguments(output.codec, container, output),
            output.codec,
            request,
          )),
          ...keepFrameTimes(video.timeBase),
          ...(output.range ? setColorRange(output.range) : []),
          ...mapStreams(info, video, container, { work }),
          // The pixels have been rotated, so the rotation tag is wrong.
          ...setStreamTag("v:0", "rotate", ""),
        ],
      },
    ],
  });
  if (frames === 0) throw new JobError("corrupt", "The video in this file cannot be decoded.");
  const { width, height } = output;
  return { ...file, width, height, duration: writtenDuration(info.duration, seconds) };
}

interface OutputVideo {
  readonly codec: string;
  readonly pixelFormat: string;
  /** The width, which is even if the codec requires it. */
  readonly width: number;
  readonly height: number;
  readonly range?: "tv";
  /** The signal level of white in the image, 0 to 1. On an HDR display, full level would dazzle. */
  readonly white: number;
}

/** ITU-R BT.2408: graphics white is at 58 % of the PQ signal and at 75 % of the HLG signal. */
const graphicsWhite: Readonly<Record<string, number>> = { smpte2084: 0.58, "arib-std-b67": 0.75 };

function chooseOutputVideo(video: VideoStream, container: VideoContainerId): OutputVideo {
  const frame = rotatedFrame(video);
  const white = graphicsWhite[video.colorTransfer ?? ""] ?? 1;
  const isHdr = white < 1;
  if (container === "webm") {
    const alpha = video.tags.alpha_mode === "1" ? "yuva420p" : "yuv420p";
    return { ...frame, codec: "vp9", pixelFormat: isHdr ? "yuv420p10le" : alpha, white };
  }
  const even = evenFrame(frame);
  if (isHdr) return { ...even, codec: "hevc", pixelFormat: "yuv420p10le", white };
  return { ...even, codec: "h264", pixelFormat: "yuv420p", range: "tv", white };
}

function buildFilterGraphs(request: OverlayRequest, output: OutputVideo): string[] {
  const { video, image, x, y, opacity = 1 } = request;
  const { width, height, pixelAspect } = rotatedFrame(video);
  const is10Bit = output.pixelFormat.endsWith("10le");
  const range = output.range ?? (video.colorRange === "pc" ? "pc" : "tv");
  const keepsAlpha = output.pixelFormat === "yuva420p";
  const videoFilters = [
    ...(keepsAlpha ? [] : putOnBlack(video)),
    ...(output.codec === "hevc" ? copyFlipped : []),
    ...fitFrameFilters({ width, height }, output, output.pixelFormat, range),
  ];
  const imageFilters = ["format=rgba"];
  if (opacity < 1 || output.white < 1) {
    const white = output.white.toFixed(4);
    const alpha = opacity.toFixed(4);
    imageFilters.push(`colorchannelmixer=rr=${white}:gg=${white}:bb=${white}:aa=${alpha}`);
  }
  const imageWidth = Math.max(1, Math.round(image.width / pixelAspect));
  const matrix = chooseColorMatrix(video, height);
  imageFilters.push(
    `scale=${imageWidth}:${image.height}:out_color_matrix=${matrix}:out_range=${range}`,
    is10Bit ? "format=yuva420p10le" : "format=yuva420p",
  );
  const format = is10Bit ? "yuv420p10" : "yuv420";
  return [
    `[0:${video.index}]${videoFilters.join(",")}[frame]`,
    `[1:0]${imageFilters.join(",")}[image]`,
    `[frame][image]overlay=x=${Math.round(x / pixelAspect)}:y=${y}:format=${format}` +
      `${enableBetween(request.range)}[video]`,
  ];
}

/** Shows the first frame at or after `start`, and none at or after `end`. */
function enableBetween(range: OverlayRequest["range"]): string {
  if (!range) return "";
  const { start, end } = range;
  // Times of frames are rounded to less than a tenth of a millisecond.
  const from = `gte(t,${(start - 0.0001).toFixed(6)})`;
  const until = end === undefined ? "" : `*lt(t,${(end - 0.0001).toFixed(6)})`;
  return `:enable='${from}${until}'`;
}

/**
 * The width of the image in pixels: `scale` of the width of `frame`, or less if the image would be
 * higher than the frame.
 */
export function fitImageWidth(frame: Frame, image: ImageInfo, scale: number): number {
  // EXIF orientations 5 to 8 swap width and height.
  const isTransposed = (image.orientation ?? 1) >= 5;
  const ratio = isTransposed ? image.height / image.width : image.width / image.height;
  return Math.max(1, Math.floor(Math.min(Math.round(frame.width * scale), frame.height * ratio)));
}
