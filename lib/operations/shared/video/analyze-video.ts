import { applyFilters, mapStream } from "#lib/engines/ffmpeg/arguments.ts";
import { type ReportEntry, readFrameReport } from "#lib/engines/ffmpeg/audio/frame-report.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import type { FrameSource } from "#lib/engines/ffmpeg/frames/read-frame.ts";
import { stillInput } from "#lib/engines/ffmpeg/frames/still-image.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

export interface AnalysisRequest extends FrameSource {
  /** Filters that add metadata to frames. They see the frames in a small size. */
  readonly filters: readonly string[];
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress?: (percent: number) => void;
}

export interface Analysis {
  readonly entries: AsyncIterable<ReportEntry>;
  /** The end of the last frame, in seconds. */
  readonly end: number;
}

/** Decodes a whole video and reads what `filters` report of its frames. Throws what `runFfmpeg` throws. */
export async function analyzeVideo(request: AnalysisRequest): Promise<Analysis> {
  const { file, info, video, filters, work, signal, progress } = request;
  const report = work.scratch("txt");
  // Content is compared as well in a small size, and faster.
  const small = "scale=w=320:h=180:force_original_aspect_ratio=decrease:flags=fast_bilinear";
  const print = `metadata=print:file=${report.name}`;
  const { frames, seconds } = await runFfmpeg({
    work,
    signal,
    progress,
    duration: info.duration,
    frame: video,
    inputs: [{ file, args: stillInput(video) }],
    outputs: [
      {
        args: [
          ...mapStream(video.index),
          ...applyFilters("v", 0, [small, "format=yuv420p", ...filters, print]),
        ],
      },
    ],
  });
  return { entries: readFrameReport(report), end: frames > 0 ? seconds : 0 };
}
