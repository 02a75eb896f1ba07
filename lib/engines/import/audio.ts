import { mapAllStreams } from "../ffmpeg/arguments.ts";
import { audioFileArguments } from "../ffmpeg/audio/audio-file.ts";
import { requireAudio } from "../ffmpeg/audio-streams.ts";
import { runFfmpeg } from "../ffmpeg/ffmpeg.ts";
import { probe } from "../ffmpeg/ffprobe.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";

/**
 * Decodes an audio file to FLAC, with its tags and cover. Nothing is lost below 24 bits per sample.
 * Throws `JobError` as `probe` and `runFfmpeg` do.
 */
export async function decodeToFlac(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const info = await probe(file, work, signal);
  const stream = requireAudio(info);
  const output = work.scratch("flac");
  const { sampleRate } = stream;
  const args = audioFileArguments(info, stream, { format: "flac", sampleRate });
  await runFfmpeg({ work, signal, inputs: [{ file }], outputs: [{ file: output, args }] });
  return output;
}

/** Copies all streams of a video to a MOV file, without encoding them. Throws as `decodeToFlac`. */
export async function copyToMov(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  await probe(file, work, signal);
  const output = work.scratch("mov");
  const outputs = [{ file: output, args: [...mapAllStreams] }];
  await runFfmpeg({ work, signal, inputs: [{ file }], outputs });
  return output;
}
