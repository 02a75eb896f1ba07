import { putOnBlack } from "#lib/engines/ffmpeg/alpha.ts";
import { convertSubtitleFile } from "#lib/engines/ffmpeg/subtitles/convert-subtitle-file.ts";
import {
  filterVideo,
  type VideoFile,
  type VideoOutput,
} from "#lib/engines/ffmpeg/video/filter-video.ts";
import {
  chooseColorMatrix,
  displayedFrame,
  rotatedFrame,
} from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { type Position, parseColor } from "../../fields/index.ts";
import { drawSubtitles } from "./draw-subtitles.ts";

export interface SubtitleLook {
  /** Pixels of the frame. */
  readonly font_size?: number | undefined;
  readonly color?: string | undefined;
  readonly position?: Position | undefined;
}

/** ITU-R BT.2408: graphics white is at 58 % of the PQ signal and at 75 % of the HLG signal. */
const graphicsWhite: Readonly<Record<string, number>> = { smpte2084: 0.58, "arib-std-b67": 0.75 };

/**
 * Draws subtitles on a video: H.264 in MP4, or 10-bit HEVC if it is HDR. A worker parses the file first,
 * and ffmpeg gets what the worker wrote. Throws `JobError`, and what `filterVideo` throws.
 */
export async function burnSubtitles(
  source: VideoFile,
  file: WorkFile,
  look: SubtitleLook,
): Promise<VideoOutput> {
  const { video, work, signal } = source;
  const displayed = displayedFrame(video);
  const white = graphicsWhite[video.colorTransfer ?? ""] ?? 1;
  const color = look.color === undefined ? undefined : parseColor(look.color);
  const drawing = {
    ...displayed,
    fontSize: look.font_size,
    color: color && toHex([color.red, color.green, color.blue]),
    opacity: color?.alpha,
    alignment: look.position && alignments[look.position],
    white,
    matrix: chooseColorMatrix(video, video.height),
  };
  const { file: ass } = await convertSubtitleFile(file, "ass", work, signal, drawing);
  const isHdr = white < 1;
  return filterVideo({
    ...source,
    frame: rotatedFrame(video),
    filters: [...putOnBlack(video), drawSubtitles(ass, displayed)],
    encoding: {
      container: "mp4",
      codec: isHdr ? "hevc" : "h264",
      pixelFormat: isHdr ? "yuv420p10le" : "yuv420p",
      sideStep: 2,
    },
  });
}

/** The alignments as on a numeric keypad. */
const alignments: Readonly<Record<Position, number>> = {
  "bottom-left": 1,
  bottom: 2,
  "bottom-right": 3,
  left: 4,
  center: 5,
  right: 6,
  "top-left": 7,
  top: 8,
  "top-right": 9,
};

function toHex(channels: readonly number[]): string {
  return `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
