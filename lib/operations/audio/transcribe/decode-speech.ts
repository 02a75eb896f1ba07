import { applyFilters, mapStream, rawSamples } from "#lib/engines/ffmpeg/arguments.ts";
import {
  detectSilence,
  type Interval,
  pauseThreshold,
} from "#lib/engines/ffmpeg/audio/detect-silence.ts";
import { alignToFile } from "#lib/engines/ffmpeg/audio/gaps.ts";
import { measureLoudness } from "#lib/engines/ffmpeg/audio/loudness.ts";
import type { AudioStream } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { statRegular } from "#lib/files/regular-files.ts";

/** Recognizers of speech resample to this rate, in Hz. */
export const speechRate = 16_000;

export interface SpeechSource {
  readonly file: WorkFile;
  readonly stream: AudioStream;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
}

/**
 * Decodes a track to 16-bit mono samples at `speechRate`, from the start of the file. Throws `JobError`
 * `corrupt` if nothing can be decoded, and what `runFfmpeg` throws.
 */
export async function decodeSpeech(
  source: SpeechSource,
): Promise<{ samples: WorkFile; duration: number }> {
  const { file, stream, work, signal } = source;
  const samples = work.scratch("pcm");
  const filters = [...alignToFile, "aformat=channel_layouts=mono"];
  const args = [
    ...mapStream(stream.index),
    ...applyFilters("a", 0, filters),
    ...rawSamples(speechRate),
  ];
  await runFfmpeg({ work, signal, inputs: [{ file }], outputs: [{ file: samples, args }] });
  const { size } = await statRegular(samples.path);
  if (size === 0) throw new JobError("corrupt", "The audio in this file cannot be decoded.");
  return { samples, duration: size / 2 / speechRate };
}

/** The shortest pause in seconds. Words are closer to each other. */
const minPause = 0.3;

/** The pauses of a track, in seconds from the start of the file. Throws what `runFfmpeg` throws. */
export async function findPauses(source: SpeechSource): Promise<readonly Interval[]> {
  const { stream } = source;
  const { integrated } = await measureLoudness({ ...source, stream: stream.index, peak: false });
  const threshold = pauseThreshold(integrated ?? -70);
  const options = { ...source, filters: alignToFile, threshold, minSeconds: minPause };
  return (await detectSilence(options)).silences;
}
