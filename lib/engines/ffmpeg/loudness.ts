import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { applyFilters, mapStream } from "./arguments.ts";
import { runFfmpeg } from "./ffmpeg.ts";

/** Loudness by EBU R 128 (ITU-R BS.1770-4). ffmpeg's ebur128 measures it to one decimal. */

export interface Loudness {
  /** LUFS. Undefined if nothing is above the gate of −70 LUFS: silence, or less than 0.4 s. */
  readonly integrated: number | undefined;
  /** dBTP. Undefined if all samples are zero. */
  readonly truePeak: number | undefined;
  /** LU. */
  readonly range: number | undefined;
}

/** A measurement with the seconds of audio that were decoded for it: 0 if none could be. */
export type LoudnessReading = Loudness & { readonly seconds: number };

export interface LoudnessMeasurement {
  readonly file: WorkFile;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  /** Index of the stream in the file. */
  readonly stream: number;
  /** Applied before the measurement. */
  readonly filters?: readonly string[];
  readonly duration?: number | undefined;
  readonly progress?: (percent: number) => void;
}

/** Measures one audio stream. Throws what `runFfmpeg` throws. */
export async function measureLoudness(measurement: LoudnessMeasurement): Promise<LoudnessReading> {
  const { file, work, signal, stream, filters = [], duration, progress } = measurement;
  const measured = [...filters, "ebur128=peak=true:framelog=verbose"];
  const { log, seconds } = await runFfmpeg({
    work,
    signal,
    duration,
    progress,
    logLevel: "info",
    inputs: [{ file }],
    outputs: [{ args: [...mapStream(stream), ...applyFilters("a", 0, measured)] }],
  });
  return { ...parseLoudness(log), seconds };
}

/** LUFS that ebur128 prints if nothing is above its gate. */
const gate = -70;

/** Parses the summary at the end of ffmpeg's log. Text before it may come from the file's own tags. */
export function parseLoudness(log: string): Loudness {
  const summary = log.slice(log.lastIndexOf("Integrated loudness:"));
  const read = (name: string) => {
    const text = new RegExp(`\\b${name}: +(-?(?:[\\d.]+|inf|nan))`).exec(summary)?.[1];
    const value = Number(text);
    return text !== undefined && Number.isFinite(value) ? value : undefined;
  };
  const integrated = read("I");
  const isAboveGate = integrated !== undefined && integrated > gate;
  return {
    integrated: isAboveGate ? integrated : undefined,
    truePeak: read("Peak"),
    range: isAboveGate ? read("LRA") : undefined,
  };
}
