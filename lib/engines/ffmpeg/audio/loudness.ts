import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { applyFilters, mapStream } from "../arguments.ts";
import { runFfmpeg } from "../ffmpeg.ts";
import { readFrameReport } from "./frame-report.ts";

/** Loudness by EBU R 128 (ITU-R BS.1770-4). ffmpeg's ebur128 measures it to one decimal. */

export interface Loudness {
  /**
   * The integrated loudness in LUFS; undefined if nothing is above the gate of −70 LUFS: silence,
   * or less than 0.4 s.
   */
  readonly integrated: number | undefined;
  /** The true peak in dBTP; undefined if all samples are zero, and if it is not measured. */
  readonly truePeak: number | undefined;
  /** The loudness range in LU. */
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
  /** The filters that are applied before the measurement. */
  readonly filters?: readonly string[];
  /**
   * The filters that are applied after it, to frames of 0.1 seconds that carry what was measured
   * until then.
   */
  readonly report?: readonly string[];
  readonly duration?: number | undefined;
  readonly progress?: (percent: number) => void;
  /**
   * Whether the true peak is measured, by default yes. It is read from samples at 192 kHz, which takes most of the time.
   */
  readonly peak?: boolean;
}

/** Measures one audio stream. Throws what `runFfmpeg` throws. */
export async function measureLoudness(measurement: LoudnessMeasurement): Promise<LoudnessReading> {
  const { file, work, signal, stream, filters = [], report, duration, progress } = measurement;
  const options = [...(measurement.peak === false ? [] : ["peak=true"]), "framelog=verbose"];
  const meter = `ebur128=${[...options, ...(report ? ["metadata=1"] : [])].join(":")}`;
  const measured = [...filters, meter, ...(report ?? [])];
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

/** One value for each second of the audio, in LUFS; null below the gate of −70 LUFS. */
export interface LoudnessTimeline {
  /** The highest momentary loudness (of 0.4 s) in each second. */
  readonly momentary: readonly (number | null)[];
  /** The short-term loudness (of the last 3 s) at the end of each second. */
  readonly shortTerm: readonly (number | null)[];
}

/**
 * Does what `measureLoudness` does, and measures the loudness of each second. Throws what
 * `runFfmpeg` throws.
 */
export async function measureTimeline(
  measurement: Omit<LoudnessMeasurement, "report">,
): Promise<LoudnessReading & { readonly timeline: LoudnessTimeline }> {
  const { work } = measurement;
  const files = { momentary: work.scratch("txt"), shortTerm: work.scratch("txt") };
  const report = [
    `ametadata=print:key=lavfi.r128.M:file=${files.momentary.name}`,
    // The last frame of each second.
    "aselect='eq(mod(n,10),9)'",
    `ametadata=print:key=lavfi.r128.S:file=${files.shortTerm.name}`,
  ];
  // Timestamps may start anywhere, also below 0.
  const filters = [...(measurement.filters ?? []), "asetpts=N/SR/TB"];
  const reading = await measureLoudness({ ...measurement, filters, report });
  const momentary: number[] = [];
  for await (const { seconds, value } of readFrameReport(files.momentary)) {
    const second = Math.floor(seconds);
    momentary[second] = Math.max(momentary[second] ?? value, value);
  }
  const shortTerm: number[] = [];
  for await (const { value } of readFrameReport(files.shortTerm)) shortTerm.push(value);
  const timeline = {
    momentary: Array.from(momentary, aboveGate),
    shortTerm: Array.from(shortTerm, aboveGate),
  };
  return { ...reading, timeline };
}

function aboveGate(value: number | undefined): number | null {
  return value !== undefined && value > gate ? Math.round(value * 10) / 10 : null;
}
