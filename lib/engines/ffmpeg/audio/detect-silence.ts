import type { AudioStream } from "../audio-streams.ts";
import { countSamples, type SampleCount } from "./count-samples.ts";
import { readFrameReport } from "./frame-report.ts";

/** Finds the pauses of audio. */

export interface SilenceOptions extends Omit<SampleCount, "stream"> {
  readonly stream: AudioStream;
  /** The level, in dBFS, below which a sample is silent. */
  readonly threshold: number;
  /** The shortest silence that is reported, in seconds. */
  readonly minSeconds: number;
}

/** A part of the audio, in seconds from its first sample. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** How far, in LU, pauses are below the loudness of a recording of speech. Noise between words is below that. */
const pauseDistance = 20;

/** The level, in dBFS, below which speech with the loudness `integrated` (LUFS) pauses. */
export function pauseThreshold(integrated: number): number {
  return Math.min(-20, Math.max(-70, integrated - pauseDistance));
}

export interface SilenceReport {
  /** The parts in which every channel is silent, in their order. */
  readonly silences: readonly Interval[];
  /** Duration of the audio in seconds, by its samples; 0 if it cannot be decoded. */
  readonly duration: number;
}

/** Frames per second of the detection. */
const frameRate = 100;

/**
 * Finds silences, exact to 0.01 seconds. ffmpeg prints their times with six digits, which is less after
 * a quarter of an hour, so that the times of its frames are used, too. Throws what `runFfmpeg` throws.
 */
export async function detectSilence(options: SilenceOptions): Promise<SilenceReport> {
  const { stream, filters = [], threshold, minSeconds, work } = options;
  const { sampleRate } = stream;
  const frameSamples = Math.max(1, Math.round(sampleRate / frameRate));
  const report = work.scratch("txt");
  const samples = await countSamples({
    ...options,
    stream: stream.index,
    filters: [
      ...filters,
      "asetpts=N/SR/TB",
      `asetnsamples=n=${frameSamples}:p=0`,
      `silencedetect=noise=${threshold}dB:duration=${minSeconds}`,
      `ametadata=print:file=${report.name}`,
    ],
  });
  const duration = samples / sampleRate;
  const frameSeconds = frameSamples / sampleRate;
  const silences: { start: number; end: number }[] = [];
  for await (const { name, pts, value } of samples > 0 ? readFrameReport(report) : []) {
    const time = pts / sampleRate;
    if (name === "lavfi.silence_start") {
      // It is reported in the frame in which it has lasted for `minSeconds`.
      const start = between(value, time - minSeconds, time + frameSeconds - minSeconds);
      silences.push({ start: Math.max(0, start), end: duration });
    }
    const last = silences.at(-1);
    if (name === "lavfi.silence_end" && last) {
      last.end = between(value, time, time + frameSeconds);
    }
  }
  return { silences, duration };
}

function between(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
