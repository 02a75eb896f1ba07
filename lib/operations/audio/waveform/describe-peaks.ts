import type { Peaks } from "../../shared/audio/measure-peaks.ts";

/** The JSON format of audiowaveform, version 2: github.com/bbc/audiowaveform, doc/DataFormat.md. */
export interface WaveformData {
  readonly version: 2;
  readonly channels: 1;
  /** The sample rate in Hz. */
  readonly sample_rate: number;
  readonly samples_per_pixel: number;
  readonly bits: 16;
  /** The number of pairs in `data`. */
  readonly length: number;
  /** The lowest and the highest sample of each column in turn. */
  readonly data: readonly number[];
}

export function describePeaks({ peaks, samplesPerPeak, sampleRate }: Peaks): WaveformData {
  return {
    version: 2,
    channels: 1,
    sample_rate: sampleRate,
    samples_per_pixel: samplesPerPeak,
    bits: 16,
    length: peaks.length,
    data: peaks.flatMap(({ min, max }) => [toInteger(min), toInteger(max)]),
  };
}

/** A sample in 16 bits. Floating-point audio may exceed full scale. */
function toInteger(sample: number): number {
  // Adding zero makes −0 positive.
  return Math.min(32_767, Math.max(-32_768, Math.round(sample * 32_768))) + 0;
}
