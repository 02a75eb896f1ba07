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
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { toNumber } from "#lib/engines/ffmpeg/ffprobe.ts";
import { type FrameSource, leadsOf } from "#lib/engines/ffmpeg/frames/read-frame.ts";
import { stillFilters, stillFrame, stillInput } from "#lib/engines/ffmpeg/frames/still-image.ts";
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

/**
 * Writes a GIF in two passes: the first makes the palette of all its frames, so that no frame has to be
 * kept in memory. Throws `JobError("corrupt")` if no frame can be decoded, and what `runFfmpeg` throws.
 */
export async function writeAnimation(
  request: AnimationRequest,
): Promise<WorkFile & { width: number; height: number; duration: number }> {
  const { file, info, video, start, duration, work, signal, progress } = request;
  const frame = stillFrame(video, Math.min(request.width, displayedFrame(video).width));
  const palette = work.scratch("png");
  const output = work.output("gif");
  const common = { work, signal, frame: video, duration };
  for (const lead of leadsOf(info.format)) {
    const seek = Math.max(0, start - lead);
    const input = { file, args: [...stillInput(video), ...(seek > 0 ? seekTo(seek) : [])] };
    const filters = [...selectFrames(request, start - seek), ...stillFilters(video, frame, "png")];
    const first = await runFfmpeg({
      ...common,
      inputs: [input],
      outputs: [
        {
          file: palette,
          args: [
            ...mapStream(video.index),
            ...applyFilters("v", 0, [...filters, "palettegen=stats_mode=full"]),
            ...limitFrames(1),
            ...singleImage,
          ],
        },
      ],
    });
    if (first.frames > 0) {
      const use = "paletteuse=dither=sierra2_4a:diff_mode=rectangle";
      await runFfmpeg({
        ...common,
        progress,
        inputs: [input, { file: palette, args: readAs("png_pipe") }],
        filterGraphs: [`[0:${video.index}]${filters.join(",")}[f];[f][1:0]${use}[out]`],
        outputs: [{ file: output, args: [...mapGraphOutput("out"), ...writeGif(request.loop)] }],
      });
      return { ...output, ...frame, duration };
    }
    if (seek === 0) break;
  }
  throw new JobError("corrupt", "The video cannot be decoded at this time.");
}

/** Filters that select the frames of the part, which begins `offset` seconds after decoding does. */
function selectFrames({ video, fps, duration }: AnimationRequest, offset: number): string[] {
  // More frames than the video has would only repeat some. A video of unknown rate gets `fps`.
  const rate = Math.min(fps, toNumber(video.frameRate) || fps);
  const begin = offset.toFixed(6);
  return [
    `fps=${rate}:start_time=${begin}`,
    `trim=end=${(offset + duration).toFixed(6)}`,
    `setpts=PTS-${begin}/TB`,
  ];
}
