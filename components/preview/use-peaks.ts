"use client";

import { useEffect, useState } from "react";

/** Larger files are played, and not drawn: they would have to be read whole. */
const mostBytes = 10_000_000;
/** Enough for a picture; the browser's decoder brings every sound to it. */
const sampleRate = 8000;
const parts = 96;

/** The loudest sample of each of 96 equal parts of a sound, 0 to 1; undefined where it is not drawn. */
export function usePeaks(url: string, bytes: number): readonly number[] | undefined {
  const [peaks, setPeaks] = useState<readonly number[]>();
  useEffect(() => {
    setPeaks(undefined);
    if (bytes > mostBytes) return;
    const over = new AbortController();
    // Without a picture it plays all the same.
    readPeaks(url, over.signal).then(setPeaks, () => setPeaks(undefined));
    return () => over.abort();
  }, [url, bytes]);
  return peaks;
}

async function readPeaks(url: string, signal: AbortSignal): Promise<number[]> {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const context = new OfflineAudioContext(1, 1, sampleRate);
  const samples = (await context.decodeAudioData(await answer.arrayBuffer())).getChannelData(0);
  signal.throwIfAborted();
  const length = Math.ceil(samples.length / parts);
  return Array.from({ length: parts }, (_, part) => {
    let peak = 0;
    for (const sample of samples.subarray(part * length, (part + 1) * length)) {
      peak = Math.max(peak, Math.abs(sample));
    }
    return Math.min(1, peak);
  });
}
