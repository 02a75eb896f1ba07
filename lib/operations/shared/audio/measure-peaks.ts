import { applyFilters, mapStream } from "#lib/engines/ffmpeg/arguments.ts";
import { countSamples, type SampleCount } from "#lib/engines/ffmpeg/audio/count-samples.ts";
import { readFrameReport } from "#lib/engines/ffmpeg/audio/frame-report.ts";
import type { AudioStream } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { JobError } from "#lib/errors.ts";

/** The lowest and the highest sample of a column, of all channels; full scale is from −1 to 1. */
export interface Peak {
  readonly min: number;
  readonly max: number;
}

export interface Peaks {
  readonly peaks: readonly Peak[];
  /** The samples of one channel in each column; the last one may have fewer. */
  readonly samplesPerPeak: number;
  /** The number of samples of one channel. */
  readonly samples: number;
  /** The sample rate in Hz. */
  readonly sampleRate: number;
}

export interface PeakSource extends Omit<SampleCount, "stream" | "filters"> {
  readonly stream: AudioStream;
}

/**
 * Measures the peaks of audio in at most `columns` columns of the same length. Throws `JobError`
 * `corrupt` if nothing can be decoded, and what `runFfmpeg` throws.
 */
export async function measurePeaks(source: PeakSource, columns: number): Promise<Peaks> {
  const { file, work, signal, stream, duration, progress } = source;
  const samples = await countSamples({
    ...source,
    stream: stream.index,
    progress: (percent) => progress?.(percent / 2),
  });
  if (samples === 0) throw new JobError("corrupt", "The audio in this file cannot be decoded.");
  const samplesPerPeak = Math.ceil(samples / columns);
  const report = work.scratch("txt");
  const filters = [
    "aformat=sample_fmts=flt",
    `asetnsamples=n=${samplesPerPeak}:p=0`,
    "astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=Min_level+Max_level",
    `ametadata=print:file=${report.name}`,
  ];
  await runFfmpeg({
    work,
    signal,
    duration,
    progress: (percent) => progress?.(50 + percent / 2),
    inputs: [{ file }],
    outputs: [{ args: [...mapStream(stream.index), ...applyFilters("a", 0, filters)] }],
  });
  const peaks: Peak[] = [];
  let min = 0;
  for await (const { name, value } of readFrameReport(report)) {
    if (name.endsWith("Min_level")) min = value;
    if (name.endsWith("Max_level")) peaks.push({ min, max: value });
  }
  return { peaks, samplesPerPeak, samples, sampleRate: stream.sampleRate };
}
