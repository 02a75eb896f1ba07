import { mediaPath, runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

const keptTypes = new Set(["video", "audio", "subtitle"]);

/**
 * Writes the packets of `input` to `output` without tags, chapters, cover pictures, attachments and
 * tracks of data. The languages of tracks stay, for players choose by them. Throws what `probe` and
 * `runFfmpeg` throw.
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
    /^[a-z]{3}$/.test(language) ? [`-metadata:s:${position}`, `language=${language}`] : [],
  );
  await runFfmpeg({
    work,
    signal,
    progress,
    duration: info.duration,
    build: (command) =>
      command
        .input(mediaPath(input))
        .outputOptions(kept.flatMap(({ index }) => ["-map", `0:${index}`]))
        .outputOptions(["-c", "copy", "-map_metadata", "-1", "-map_chapters", "-1"])
        // Without it the muxer signs with its own name and version.
        .outputOptions(["-fflags", "+bitexact", ...languages])
        .output(mediaPath(output)),
  });
}
