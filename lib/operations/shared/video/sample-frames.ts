import { existsSync } from "node:fs";
import {
  applyFilters,
  keepEveryFrame,
  limitFrames,
  mapGraphOutput,
  mapStream,
  numberedImages,
  seekTo,
  singleImage,
} from "#lib/engines/ffmpeg/arguments.ts";
import { reportsDamage } from "#lib/engines/ffmpeg/command/errors.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import {
  type FrameRequest,
  frameAtFilters,
  readFrame,
} from "#lib/engines/ffmpeg/frames/read-frame.ts";
import {
  stillEncoder,
  stillFilters,
  stillFrame,
  stillInput,
} from "#lib/engines/ffmpeg/frames/still-image.ts";
import type { MediaInfo } from "#lib/engines/ffmpeg/media-info.ts";
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

export interface SampleRequest extends Omit<FrameRequest, "time"> {
  readonly progress?: (percent: number) => void;
}

export interface SampledFrames {
  readonly files: readonly WorkFile[];
  /** The size of each. */
  readonly frame: Frame;
  /** The times of the frames in seconds. */
  readonly times: readonly number[];
}

/** Whether each frame is read by a seek, instead of decoding the whole video. */
export function usesSeeks({ format }: MediaInfo, { step }: FrameTimes): boolean {
  return step >= minSeekStep && hasIndex(format);
}

/** A frame up to so many seconds after its time is on screen: Matroska, FLV and others round times to milliseconds. */
const lateness = 0.001;

/** Filters that select the frames on screen at `times`, and then further ones at the same distance. */
export function selectTimes({ first, step }: FrameTimes): string[] {
  return [
    // The last frame stays on screen; one of its copies may be the last sample.
    `tpad=stop_duration=${(step + 2).toFixed(3)}:stop_mode=clone`,
    `fps=${1 / step}:start_time=${(first + lateness).toFixed(6)}:round=up`,
  ];
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
  await (usesSeeks(info, times) ? seekFrames : decodeFrames)(request, times, series);
  const files = series.files.filter(({ path }) => existsSync(path));
  if (files.length === 0) {
    throw new JobError("corrupt", "The video in this file cannot be decoded.");
  }
  const frame = stillFrame(video, width);
  return { files, frame, times: files.map((_, index) => times.first + index * times.step) };
}

/** Frames up to this size, in pixels, are decoded at several times of one run. */
const smallFrame = 1920 * 1088;

/** Whether one run may read a video at several times, each of which needs a decoder. */
export function allowsParallelReads({
  file,
  video,
}: Pick<SampleRequest, "file" | "video">): boolean {
  return video.width * video.height <= smallFrame && !file.partial;
}
const framesPerRun = 4;

async function seekFrames(
  request: SampleRequest,
  { first, step }: FrameTimes,
  { files }: FileSeries,
): Promise<void> {
  const isParallel = allowsParallelReads(request);
  const samples = files.map((output, index) => ({ output, time: first + index * step }));
  for (let start = 0; start < samples.length; start += framesPerRun) {
    const part = samples.slice(start, start + framesPerRun);
    const areRead = isParallel && (await readShownFrames(request, part));
    for (const [index, { output, time }] of part.entries()) {
      if (!areRead || !existsSync(output.path)) await readFrame({ ...request, time }, output);
      request.progress?.((100 * (start + index + 1)) / files.length);
    }
  }
}

interface Sample {
  readonly output: WorkFile;
  /** In seconds. */
  readonly time: number;
}

/**
 * Writes the frames that a seek finds at their times, in one run. At the end of a video it may find none.
 * False if the video is damaged, maybe at one of the times only.
 */
async function readShownFrames(
  request: SampleRequest,
  samples: readonly Sample[],
): Promise<boolean> {
  const { file, video, format, work, signal } = request;
  const still = stillFilters(video, stillFrame(video, request.width), format);
  const filters = [...frameAtFilters(0), ...still].join(",");
  try {
    const { log } = await runFfmpeg({
      work,
      signal,
      frame: video,
      inputs: samples.map(({ time }) => ({ file, args: [...stillInput(video), ...seekTo(time)] })),
      filterGraphs: samples.map((_, index) => `[${index}:${video.index}]${filters}[out${index}]`),
      outputs: samples.map(({ output }, index) => ({
        file: output,
        args: [
          ...mapGraphOutput(`out${index}`),
          ...limitFrames(1),
          ...stillEncoder(format),
          ...singleImage,
        ],
      })),
    });
    return !reportsDamage(log);
  } catch (error) {
    if (error instanceof JobError && error.code === "corrupt") return false;
    throw error;
  }
}

async function decodeFrames(
  request: SampleRequest,
  times: FrameTimes,
  series: FileSeries,
): Promise<void> {
  const { file, video, format, work, signal, progress } = request;
  const { step, count } = times;
  const filters = [
    ...selectTimes(times),
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
