import { writeChapters } from "#lib/engines/ffmpeg/audio/chapters.ts";
import { countSamples } from "#lib/engines/ffmpeg/audio/count-samples.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import {
  type AudioSource,
  chooseJoinedFormat,
  conformFilters,
  joinedFileArguments,
} from "../../shared/audio/join-audio.ts";
import { joinChapters } from "./join-chapters.ts";

export interface JoinRequest {
  readonly sources: readonly AudioSource[];
  readonly output: WorkFile;
  /** The duration in seconds. */
  readonly duration: number;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress: (percent: number) => void;
}

/**
 * Decodes the audio and joins it, sample after sample, or with `crossfade` seconds between two files.
 * Returns the seconds that were written. Throws what `runFfmpeg` throws.
 */
export async function joinSamples(request: JoinRequest, crossfade: number): Promise<number> {
  const { sources, output, duration, work, signal, progress } = request;
  const [first] = sources;
  if (!first) throw new Error("no sources");
  const joined = chooseJoinedFormat(sources);
  const overlaps = chooseOverlaps(await measureLengths(request, crossfade), crossfade);
  const graphs = sources.map((source, index) => {
    const conform = conformFilters(source, joined).join(",");
    return `[${index}:${source.stream.index}]${conform}[a${index}]`;
  });
  const chapters = await writeChapters(joinChapters(sources, overlaps), sources.length, work);
  const { seconds } = await runFfmpeg({
    work,
    signal,
    progress,
    duration,
    inputs: [...sources.map(({ file }) => ({ file })), ...(chapters.input ? [chapters.input] : [])],
    filterGraphs: [...graphs, ...planJoins(overlaps, joined.stream.sampleRate)],
    outputs: [
      { file: output, args: [...joinedFileArguments(first, joined, "out"), ...chapters.args] },
    ],
  });
  return seconds;
}

/**
 * Measures the lengths of the files in seconds. A crossfade must not be longer than the audio
 * really is; headers may declare more.
 */
async function measureLengths(request: JoinRequest, crossfade: number): Promise<number[]> {
  const { sources, work, signal } = request;
  const lengths: number[] = [];
  for (const { file, info, stream } of sources) {
    if (crossfade === 0) {
      lengths.push(info.duration ?? 0);
      continue;
    }
    const samples = await countSamples({ file, work, signal, stream: stream.index });
    if (samples === 0) throw new JobError("corrupt", "The audio in a file cannot be decoded.");
    lengths.push(samples / stream.sampleRate);
  }
  return lengths;
}

/** The seconds by which each file but the first begins before the end of the one before it. */
function chooseOverlaps(lengths: readonly number[], crossfade: number): number[] {
  const half = (index: number) => (lengths[index] ?? 0) / 2;
  return lengths.slice(1).map((_, index) => Math.min(crossfade, half(index), half(index + 1)));
}

/** The filters from `[a0]`, `[a1]`, … to `[out]`. */
function planJoins(overlaps: readonly number[], sampleRate: number): string[] {
  const labels = [0, ...overlaps].map((_, index) => `[a${index}]`);
  const samples = overlaps.map((seconds) => Math.floor(seconds * sampleRate));
  if (samples.every((count) => count === 0)) {
    return [`${labels.join("")}concat=n=${labels.length}:v=0:a=1[out]`];
  }
  return samples.map((count, index) => {
    const before = index === 0 ? "[a0]" : `[j${index}]`;
    const label = index === samples.length - 1 ? "[out]" : `[j${index + 1}]`;
    const filter = count === 0 ? "concat=n=2:v=0:a=1" : `acrossfade=ns=${count}:c1=qsin:c2=qsin`;
    return `${before}[a${index + 1}]${filter}${label}`;
  });
}
