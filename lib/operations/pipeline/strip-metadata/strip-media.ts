import {
  copyStreams,
  dropChapters,
  dropTags,
  mapStream,
  omitMuxerName,
  setStreamTag,
} from "#lib/engines/ffmpeg/arguments.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

const keptTypes = new Set(["video", "audio", "subtitle"]);

/**
 * Copies the packets of `input` to `output` without tags, chapters, cover art, attachments and data
 * tracks. The languages of tracks stay because players use them to select a track. Throws what `probe`
 * and `runFfmpeg` throw.
 */
export async function stripMedia(
  input: WorkFile,
  output: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
  progress: (percent: number) => void,
): Promise<void> {
  const info = await probe(input, work, signal);
  const kept = info.streams.filter(
    (stream) => keptTypes.has(stream.type) && !stream.attachedPicture,
  );
  const languages = kept.flatMap(({ language = "" }, position) =>
    /^[a-z]{3}$/.test(language) ? setStreamTag(position, "language", language) : [],
  );
  const args = [
    ...kept.flatMap(({ index }) => mapStream(index)),
    ...copyStreams,
    ...dropTags,
    ...dropChapters,
    ...omitMuxerName,
    ...languages,
  ];
  await runFfmpeg({
    work,
    signal,
    progress,
    duration: info.duration,
    inputs: [{ file: input }],
    outputs: [{ file: output, args }],
  });
}
