import { mediaPath, runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

/** Loudness by EBU R 128 (ITU-R BS.1770-4), measured by ffmpeg's ebur128 to a tenth. */

export interface Loudness {
  /** LUFS. Undefined where nothing is above the gate of −70 LUFS: silence, or less than 0.4 s. */
  readonly integrated: number | undefined;
  /** dBTP. Undefined where every sample is zero. */
  readonly truePeak: number | undefined;
  /** LU. */
  readonly range: number | undefined;
}

/** A measurement, and how many seconds of sound were decoded for it; 0 where none could be. */
export type HeardLoudness = Loudness & { readonly seconds: number };

export interface LoudnessMeasurement {
  readonly file: WorkFile;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  /** Which stream of the file, by its index. */
  readonly stream: number;
  /** Filters to go through before it is measured. */
  readonly filters?: readonly string[];
  readonly duration?: number | undefined;
  readonly progress?: (percent: number) => void;
}

/** Measures one audio stream. Throws what `runFfmpeg` throws. */
export async function measureLoudness(measurement: LoudnessMeasurement): Promise<HeardLoudness> {
  const { file, work, signal, stream, filters = [], duration, progress } = measurement;
  const graph = [...filters, "ebur128=peak=true:framelog=verbose"].join(",");
  const { log, seconds } = await runFfmpeg({
    work,
    signal,
    duration,
    progress,
    logLevel: "info",
    build: (command) =>
      command
        .input(mediaPath(file))
        .outputOptions(["-map", `0:${stream}`, "-af", graph, "-f", "null"])
        .output("-"),
  });
  return { ...parseLoudness(log), seconds };
}

/** What ebur128 prints where it has heard nothing above its gate. */
const gate = -70;

/** Reads the summary at the end of ffmpeg's log; what stands before it may be a file's own text. */
export function parseLoudness(log: string): Loudness {
  const summary = log.slice(log.lastIndexOf("Integrated loudness:"));
  const read = (name: string) => {
    const text = new RegExp(`\\b${name}: +(-?(?:[\\d.]+|inf|nan))`).exec(summary)?.[1];
    const value = Number(text);
    return text !== undefined && Number.isFinite(value) ? value : undefined;
  };
  const integrated = read("I");
  const heard = integrated !== undefined && integrated > gate;
  return {
    integrated: heard ? integrated : undefined,
    truePeak: read("Peak"),
    range: heard ? read("LRA") : undefined,
  };
}
