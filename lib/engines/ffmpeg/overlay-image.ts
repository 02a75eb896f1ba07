import { type VideoContainerId, videoEncoder } from "#lib/engines/ffmpeg/video-formats.ts";
import { JobError } from "#lib/errors.ts";
import type { MediaType } from "#lib/media/types.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { mediaPath, runFfmpeg, writtenDuration } from "./ffmpeg.ts";
import { keepStreams } from "./map-streams.ts";
import type { MediaInfo, MediaStream } from "./media-info.ts";
import { evenFrame, type Frame, filmFrame, fitFilters } from "./video-frame.ts";

export interface Drawing {
  readonly input: WorkFile & { readonly type: MediaType };
  readonly info: MediaInfo;
  readonly video: MediaStream & { readonly width: number; readonly height: number };
  /** A PNG of our own making, and where its top left corner lies, in pixels of the frame as shown. */
  readonly picture: { readonly file: WorkFile; readonly width: number; readonly height: number };
  readonly x: number;
  readonly y: number;
  /** 0 to 1. */
  readonly opacity?: number;
  readonly container: "mp4" | "webm";
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress?: (percent: number) => void;
}

/**
 * Lays a picture over every frame of a film and writes it as H.264 in MP4 (HEVC with 10 bits where the
 * film is HDR) or VP9 in WebM. Frame times, sound, subtitles, chapters and tags stay. Resolves with
 * the output and its duration in seconds. Throws what `runFfmpeg` throws.
 */
export async function drawOver(drawing: Drawing): Promise<WorkFile & { duration: number } & Frame> {
  const { input, info, video, picture, container, work, signal, progress } = drawing;
  const output = work.output(container);
  const look = lookOf(video, container);
  const { numerator, denominator } = video.timeBase ?? { numerator: 1, denominator: 90_000 };
  const { frames, seconds } = await runFfmpeg({
    work,
    signal,
    progress,
    duration: info.duration,
    frame: video,
    build: (command) =>
      command
        .input(mediaPath(input))
        .inputOptions(inputOptions(video, look))
        .input(mediaPath(picture.file))
        .inputFormat("png_pipe")
        .complexFilter(buildGraph(drawing, look))
        .outputOptions(["-map", "[film]", ...videoEncoder(look.codec, container, look)])
        // The film's own clock: every frame keeps its time, however irregular.
        .outputOptions(["-fps_mode", "vfr", "-enc_time_base", `${numerator}:${denominator}`])
        .outputOptions(look.range ? ["-color_range", look.range] : [])
        .outputOptions(keepStreams(info, video, container))
        // A rotation that has been applied to the pixels must not be told again.
        .outputOptions(["-metadata:s:v:0", "rotate="])
        .output(mediaPath(output)),
  });
  if (frames === 0) throw new JobError("corrupt", "The video in this file cannot be decoded.");
  const { width, height } = look;
  return { ...output, width, height, duration: writtenDuration(info.duration, seconds) };
}

interface Look {
  readonly codec: string;
  readonly pixelFormat: string;
  /** Of the result: even where its codec needs that. */
  readonly width: number;
  readonly height: number;
  readonly range?: "tv";
  /** Share of full signal that white text has: an HDR display's full white would blind. */
  readonly white: number;
}

/** ITU-R BT.2408: graphics white is at 58 % of the PQ signal and 75 % of HLG's. */
const graphicsWhite: Readonly<Record<string, number>> = { smpte2084: 0.58, "arib-std-b67": 0.75 };

function lookOf(video: Drawing["video"], container: VideoContainerId): Look {
  const frame = filmFrame(video);
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

function inputOptions(video: MediaStream, look: Look): string[] {
  const decoder = { vp8: "libvpx", vp9: "libvpx-vp9" }[video.codec ?? ""];
  return [
    // ffmpeg's own VP8 and VP9 decoders drop transparency.
    ...(look.pixelFormat === "yuva420p" && decoder ? [`-c:${video.index}`, decoder] : []),
    // A film whose frames change size would start the graph again, without the picture.
    ...(video.rotation === 0 ? ["-reinit_filter", "0"] : []),
  ];
}

function buildGraph({ video, picture, x, y, opacity = 1 }: Drawing, look: Look): string[] {
  const { width, height, pixelAspect } = filmFrame(video);
  const range = look.range ?? (video.colorRange === "pc" ? "pc" : "tv");
  const film = fitFilters({ width, height }, look, look.pixelFormat, range);
  const marks = ["format=rgba"];
  if (opacity < 1 || look.white < 1) {
    const [white, alpha] = [look.white.toFixed(4), opacity.toFixed(4)];
    marks.push(`colorchannelmixer=rr=${white}:gg=${white}:bb=${white}:aa=${alpha}`);
  }
  const markWidth = Math.max(1, Math.round(picture.width / pixelAspect));
  const matrix = colorMatrix(video, height);
  marks.push(`scale=${markWidth}:${picture.height}:out_color_matrix=${matrix}:out_range=${range}`);
  marks.push(look.pixelFormat.endsWith("10le") ? "format=yuva420p10le" : "format=yuva420p");
  const over = look.pixelFormat.endsWith("10le") ? "yuv420p10" : "yuv420";
  return [
    `[0:${video.index}]${film.join(",")}[frame]`,
    `[1:0]${marks.join(",")}[mark]`,
    `[frame][mark]overlay=x=${Math.round(x / pixelAspect)}:y=${y}:format=${over}[film]`,
  ];
}

/** The matrix of the film's colours; untagged ones go by size, as players do. */
function colorMatrix(video: MediaStream, height: number): string {
  const tagged = video.colorSpace ?? "";
  if (["bt709", "smpte170m", "bt470bg", "smpte240m", "fcc"].includes(tagged)) return tagged;
  if (tagged.startsWith("bt2020")) return "bt2020";
  return height >= 720 ? "bt709" : "smpte170m";
}
