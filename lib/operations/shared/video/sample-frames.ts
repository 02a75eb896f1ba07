import { existsSync } from "node:fs";
import {
  applyFilters,
  keepEveryFrame,
  limitFrames,
  mapStream,
  numberedImages,
} from "#lib/engines/ffmpeg/arguments.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { type FrameRequest, readFrame } from "#lib/engines/ffmpeg/frames/read-frame.ts";
import {
  stillEncoder,
  stillFilters,
  stillFrame,
  stillInput,
} from "#lib/engines/ffmpeg/frames/still-image.ts";
import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";
import type { FileSeries, WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";

/** The times at which frames are taken: `first`, `first` + `step`, … In seconds. */
export interface FrameTimes {
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

/** The middles of `count` equal parts of `duration` seconds. */
export function spreadTimes(duration: number, count: number): FrameTimes {
  const step = duration / count;
  return { first: step / 2, step, count };
}

/** From this step on, in seconds, a seek to each frame costs less than to decode all between them. */
const minSeekStep = 10;

/** Seeks in formats without an index are slow and read again what was read before. */
const hasIndex = (format: string) => !/^mpeg/.test(format);

interface SampleRequest extends Omit<FrameRequest, "time"> {
  readonly progress?: (percent: number) => void;
}

export interface SampledFrames {
  readonly files: readonly WorkFile[];
  /** The size of each. */
  readonly frame: Frame;
  /** The times of the frames in seconds. */
  readonly times: readonly number[];
}

/**
 * Writes the frames that are on screen at `times` to `series`, as many as there are before the end.
 * Throws `JobError("corrupt")` if there is none, and what `runFfmpeg` throws.
 */
export async function sampleFrames(
  request: SampleRequest,
  times: FrameTimes,
  series: FileSeries,
): Promise<SampledFrames> {
  const { info, video, width } = request;
  const usesSeeks = times.step >= minSeekStep && hasIndex(info.format);
  await (usesSeeks ? seekFrames : decodeFrames)(request, times, series);
  const files = series.files.filter(({ path }) => existsSync(path));
  if (files.length === 0) {
    throw new JobError("corrupt", "The video in this file cannot be decoded.");
  }
  const frame = stillFrame(video, width);
  return { files, frame, times: files.map((_, index) => times.first + index * times.step) };
}

async function seekFrames(
  request: SampleRequest,
  { first, step }: FrameTimes,
  { files }: FileSeries,
): Promise<void> {
  for (const [index, output] of files.entries()) {
    await readFrame({ ...request, time: first + index * step }, output);
    request.progress?.((100 * (index + 1)) / files.length);
  }
}

async function decodeFrames(
  request: SampleRequest,
  { first, step, count }: FrameTimes,
  series: FileSeries,
): Promise<void> {
  const { file, video, format, work, signal, progress } = request;
  // The last frame stays on screen; one of its copies may be the last sample.
  const filters = [
    `tpad=stop_duration=${(step + 2).toFixed(3)}:stop_mode=clone`,
    `fps=1000000/${Math.round(step * 1e6)}:start_time=${first.toFixed(6)}:round=up`,
    ...stillFilters(video, stillFrame(video, request.width), format),
  ];
  await runFfmpeg({
    work,
    signal,
    progress,
    frame: video,
    duration: count * step,
    inputs: [{ file, args: stillInput(video) }],
    outputs: [
      {
        file: series.pattern,
        args: [
          ...mapStream(video.index),
          ...applyFilters("v", 0, filters),
          ...keepEveryFrame,
          ...limitFrames(count),
          ...stillEncoder(format),
          ...numberedImages(series.first),
        ],
      },
    ],
  });
}
