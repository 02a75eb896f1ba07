import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { applyFilters, mapStream } from "../arguments.ts";
import { runFfmpeg } from "../ffmpeg.ts";

export interface SampleCount {
  readonly file: WorkFile;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  /** Index of the audio stream in the file. */
  readonly stream: number;
  /** The filters that are applied before the samples are counted. */
  readonly filters?: readonly string[];
  /** The duration in seconds, for progress. */
  readonly duration?: number | undefined;
  readonly progress?: (percent: number) => void;
}

/**
 * The samples of one channel of an audio stream, by decoding it: headers are often wrong by some
 * hundredths of a second. Throws what `runFfmpeg` throws.
 */
export async function countSamples(count: SampleCount): Promise<number> {
  const { file, work, signal, stream, filters = [], duration, progress } = count;
  const statistics = "astats=measure_perchannel=none:measure_overall=Number_of_samples";
  const { log } = await runFfmpeg({
    work,
    signal,
    duration,
    progress,
    logLevel: "info",
    inputs: [{ file }],
    outputs: [{ args: [...mapStream(stream), ...applyFilters("a", 0, [...filters, statistics])] }],
  });
  // Text before it may come from the file's own tags.
  const summary = log.slice(log.lastIndexOf("Number of samples:"));
  return Number(/^Number of samples: (\d+)/.exec(summary)?.[1] ?? 0);
}
