"use client";

import { useEffect, useState } from "react";

/** Larger files have no waveform, because the browser would have to download the whole file. */
const maxBytes = 10_000_000;
/** A sample rate, in Hz, that is enough for the waveform. The browser resamples the audio to it. */
const sampleRate = 8000;
const segments = 96;

/** The peak level of each of 96 equal segments of an audio file, 0 to 1; undefined if there is no waveform. */
export function usePeaks(url: string, bytes: number): readonly number[] | undefined {
  const [peaks, setPeaks] = useState<readonly number[]>();
  useEffect(() => {
    setPeaks(undefined);
    if (bytes > maxBytes) return;
    const controller = new AbortController();
    // Without a waveform the audio can still be played.
    readPeaks(url, controller.signal).then(setPeaks, () => setPeaks(undefined));
    return () => controller.abort();
  }, [url, bytes]);
  return peaks;
}

async function readPeaks(url: string, signal: AbortSignal): Promise<number[]> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`the file returned status ${response.status}`);
  const context = new OfflineAudioContext(1, 1, sampleRate);
  const samples = (await context.decodeAudioData(await response.arrayBuffer())).getChannelData(0);
  signal.throwIfAborted();
  const length = Math.ceil(samples.length / segments);
  return Array.from({ length: segments }, (_, segment) => {
    let peak = 0;
    for (const sample of samples.subarray(segment * length, (segment + 1) * length)) {
      peak = Math.max(peak, Math.abs(sample));
    }
    return Math.min(1, peak);
  });
}
