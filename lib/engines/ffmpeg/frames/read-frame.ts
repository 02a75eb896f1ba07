import { JobError } from "#lib/errors.ts";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { applyFilters, limitFrames, mapStream, seekTo, singleImage } from "../arguments.ts";
import { runFfmpeg } from "../ffmpeg.ts";
import type { MediaInfo } from "../media-info.ts";
import type { VideoStream } from "../video-frame.ts";
import {
  type StillFormat,
  stillEncoder,
  stillFilters,
  stillFrame,
  stillInput,
} from "./still-image.ts";

/** A video in a work folder. */
export interface FrameSource {
  readonly file: WorkFile;
  readonly info: MediaInfo;
  readonly video: VideoStream;
}

export interface FrameRequest extends FrameSource {
  /** Seconds from the start of the file. */
  readonly time: number;
  readonly format: StillFormat;
  /** The width in pixels; by default that of the video. */
  readonly width?: number | undefined;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
}

/**
 * Writes the frame that is on screen at `time` to `output`; after the last frame, that one. Throws
 * `JobError("corrupt")` if none can be decoded, and what `runFfmpeg` throws.
 */
export async function readFrame(
  request: FrameRequest,
  output: WorkFile,
): Promise<WorkFile & { width: number; height: number }> {
  const { file, info, video, time, format, work, signal } = request;
  const frame = stillFrame(video, request.width);
  for (const lead of leadsOf(info.format)) {
    const seek = Math.max(0, time - lead);
    for (const select of [selectShown, selectLast]) {
      const { filters, limit } = select(time - seek);
      const { frames } = await runFfmpeg({
        work,
        signal,
        frame: video,
        inputs: [{ file, args: [...stillInput(video), ...(seek > 0 ? seekTo(seek) : [])] }],
        outputs: [
          {
            file: output,
            args: [
              ...mapStream(video.index),
              ...applyFilters("v", 0, [...filters, ...stillFilters(video, frame, format)]),
              ...limit,
              ...stillEncoder(format),
              ...singleImage,
            ],
          },
        ],
      });
      if (frames > 0) return { ...output, ...frame };
    }
    if (seek === 0) break;
  }
  throw new JobError("corrupt", "The video cannot be decoded at this time.");
}

interface FrameSelection {
  readonly filters: readonly string[];
  readonly limit: readonly string[];
}

function selectShown(time: number): FrameSelection {
  return { filters: frameAtFilters(time), limit: limitFrames(1) };
}

/** Selects the last frame, for a time after it: each frame overwrites the one before. */
function selectLast(time: number): FrameSelection {
  return { filters: [`trim=end=${(time + 0.001).toFixed(6)}`], limit: [] };
}

/**
 * Filters of which the only frame is the one on screen at `time`, in seconds; none if the video ends
 * more than two seconds before. The rate is only the precision with which times are compared.
 */
export function frameAtFilters(time: number): string[] {
  return [
    "tpad=stop_duration=2:stop_mode=clone",
    `fps=1000:start_time=${time.toFixed(6)}:round=up`,
    // Without it, a frame that stays for a minute would fill the queue with 60,000 copies.
    "trim=end_frame=1",
  ];
}

/**
 * Seconds before a time at which decoding starts; each is tried until there are frames. In formats
 * without an index, a seek ends anywhere, and there is no frame until the next key frame. At the end
 * of a video, a seek may find no frame.
 */
export function leadsOf(format: string): number[] {
  return [/^mpeg/.test(format) ? 10 : 0, 30, Number.POSITIVE_INFINITY];
}
