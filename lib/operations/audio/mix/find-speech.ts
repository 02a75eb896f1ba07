import {
  detectSilence,
  type Interval,
  pauseThreshold,
} from "#lib/engines/ffmpeg/audio/detect-silence.ts";
import { measureLoudness } from "#lib/engines/ffmpeg/audio/loudness.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { AudioSource } from "../../shared/audio/join-audio.ts";

/** The shortest pause in seconds. Shorter pauses belong to the speech. */
const minPause = 0.8;

/**
 * The shortest speech in seconds. Shorter sounds between pauses, such as clicks, are not speech.
 */
const minSpeech = 0.08;

/** When `source` is not silent, in seconds. Throws what `runFfmpeg` throws. */
export async function findSpeech(
  source: AudioSource,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Interval[]> {
  const { file, stream } = source;
  const { integrated } = await measureLoudness({
    file,
    work,
    signal,
    stream: stream.index,
    peak: false,
  });
  if (integrated === undefined) return [];
  const threshold = pauseThreshold(integrated);
  const options = { file, stream, work, signal, threshold, minSeconds: minPause };
  const { silences, duration } = await detectSilence(options);
  const starts = [0, ...silences.map(({ end }) => end)];
  const ends = [...silences.map(({ start }) => start), duration];
  return starts
    .map((start, index) => ({ start: round(start), end: round(ends[index] ?? duration) }))
    .filter(({ start, end }) => end - start >= minSpeech);
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
