import type { AudioStream } from "../audio-streams.ts";
import { countSamples, type SampleCount } from "./count-samples.ts";
import { readFrameReport } from "./frame-report.ts";

/** Finds the pauses of audio. */

export interface SilenceOptions extends Omit<SampleCount, "stream" | "filters"> {
  readonly stream: AudioStream;
  /** In dBFS. A sample below it is silent. */
  readonly threshold: number;
  /** The shortest silence that is reported, in seconds. */
  readonly minSeconds: number;
}

/** In seconds from the first sample of the audio. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** In LU below the loudness of a recording of speech. Noise between words is below it. */
const pauseDistance = 20;

/** The level, in dBFS, below which speech with the loudness `integrated` (LUFS) pauses. */
export function pauseThreshold(integrated: number): number {
  return Math.min(-20, Math.max(-70, integrated - pauseDistance));
}

export interface SilenceReport {
  /** In order. In each, every channel is silent. */
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
  const { stream, threshold, minSeconds, work } = options;
  const { sampleRate } = stream;
  const frameSamples = Math.max(1, Math.round(sampleRate / frameRate));
  const report = work.scratch("txt");
  const samples = await countSamples({
    ...options,
    stream: stream.index,
    filters: [
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
