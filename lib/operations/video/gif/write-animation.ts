import {
  applyFilters,
  limitFrames,
  mapGraphOutput,
  mapStream,
  readAs,
  seekTo,
  singleImage,
  writeGif,
} from "#lib/engines/ffmpeg/arguments.ts";
import { type FfmpegInput, runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { toNumber } from "#lib/engines/ffmpeg/ffprobe.ts";
import { type FrameSource, leadsOf } from "#lib/engines/ffmpeg/frames/read-frame.ts";
import { stillFilters, stillFrame, stillInput } from "#lib/engines/ffmpeg/frames/still-image.ts";
import { constantRateFrom, partRate } from "#lib/engines/ffmpeg/video/constant-rate.ts";
import { displayedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";

export interface AnimationRequest extends FrameSource {
  /** The start in seconds from the start of the file. */
  readonly start: number;
  /** The duration in seconds. */
  readonly duration: number;
  /** The width in pixels. */
  readonly width: number;
  readonly fps: number;
  /** How often it plays; 0 is endless. */
  readonly loop: number;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress: (percent: number) => void;
}

/** Frames are kept in memory until their palette is made if they need at most this much. */
const maxKeptBytes = 128 * 2 ** 20;

/** RGB with an unused byte, as the filter of the palette reads it. */
const bytesPerPixel = 4;

const makePalette = "palettegen=stats_mode=full";
const usePalette = "paletteuse=dither=sierra2_4a:diff_mode=rectangle";

/**
 * Writes a GIF with one palette for all its frames. Throws `JobError("corrupt")` if no frame can be
 * decoded, and what `runFfmpeg` throws.
 */
export async function writeAnimation(
  request: AnimationRequest,
): Promise<WorkFile & { width: number; height: number; duration: number }> {
  const { file, info, video, start, duration, work } = request;
  const frame = stillFrame(video, Math.min(request.width, displayedFrame(video).width));
  const output = work.output("gif");
  const bytes = duration * rateOf(request) * frame.width * frame.height * bytesPerPixel;
  const write = bytes <= maxKeptBytes ? decodeOnce : decodeTwice;
  for (const lead of leadsOf(info.format)) {
    const seek = Math.max(0, start - lead);
    const input = { file, args: [...stillInput(video), ...(seek > 0 ? seekTo(seek) : [])] };
    const filters = [...selectFrames(request, start - seek), ...stillFilters(video, frame, "png")];
    if (await write(request, input, filters, output)) return { ...output, ...frame, duration };
    if (seek === 0) break;
  }
  throw new JobError("corrupt", "The video cannot be decoded at this time.");
}

/** Writes `output`. Returns whether there are frames. */
type WriteFrames = (
  request: AnimationRequest,
  input: FfmpegInput,
  filters: readonly string[],
  output: WorkFile,
) => Promise<boolean>;

const decodeOnce: WriteFrames = async (request, input, filters, output) => {
  const { video, loop, work, signal, progress, duration } = request;
  const frames = `[0:${video.index}]${filters.join(",")},split[f][g]`;
  const { frames: count } = await runFfmpeg({
    work,
    signal,
    progress,
    frame: video,
    duration,
    inputs: [input],
    filterGraphs: [`${frames};[g]${makePalette}[p];[f][p]${usePalette}[out]`],
    outputs: [{ file: output, args: [...mapGraphOutput("out"), ...writeGif(loop)] }],
  });
  return count > 0;
};

/** No frame has to be kept in memory. */
const decodeTwice: WriteFrames = async (request, input, filters, output) => {
  const { video, loop, work, signal, progress, duration } = request;
  const palette = work.scratch("png");
  const common = { work, signal, frame: video, duration };
  const { frames } = await runFfmpeg({
    ...common,
    inputs: [input],
    outputs: [
      {
        file: palette,
        args: [
          ...mapStream(video.index),
          ...applyFilters("v", 0, [...filters, makePalette]),
          ...limitFrames(1),
          ...singleImage,
        ],
      },
    ],
  });
  if (frames === 0) return false;
  await runFfmpeg({
    ...common,
    progress,
    inputs: [input, { file: palette, args: readAs("png_pipe") }],
    filterGraphs: [`[0:${video.index}]${filters.join(",")}[f];[f][1:0]${usePalette}[out]`],
    outputs: [{ file: output, args: [...mapGraphOutput("out"), ...writeGif(loop)] }],
  });
  return true;
};

/** Frames per second. More than the video has would only repeat some. A video of unknown rate gets `fps`. */
function rateOf({ video: { frameRate }, fps }: AnimationRequest): number {
  return frameRate ? Math.min(fps, toNumber(partRate(frameRate))) : fps;
}

/** Filters that select the frames of the part, which begins `offset` seconds after decoding does. */
function selectFrames(request: AnimationRequest, offset: number): string[] {
  const { info, video, start, duration } = request;
  const rest = (video.duration ?? info.duration ?? 0) - start;
  return [...constantRateFrom(offset, rateOf(request), rest), `trim=end=${duration.toFixed(6)}`];
}
