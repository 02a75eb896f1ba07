import { limitFrames, mapStream, singleImage } from "#lib/engines/ffmpeg/arguments.ts";
import { findCover } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import type { MediaInfo } from "#lib/engines/ffmpeg/media-info.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

/**
 * Decodes the cover art of an audio file to a PNG. Undefined if it has none. Throws what `runFfmpeg`
 * throws: `JobError("corrupt")` if the picture is damaged.
 */
export async function extractCover(
  file: WorkFile,
  info: MediaInfo,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile | undefined> {
  const cover = findCover(info);
  if (!cover) return undefined;
  const output = work.scratch("png");
  const { width = 0, height = 0 } = cover;
  const encoder = ["-c:v:0", "png", "-pix_fmt", "rgba"];
  const args = [...mapStream(cover.index), ...limitFrames(1), ...encoder, ...singleImage];
  const { frames } = await runFfmpeg({
    work,
    signal,
    frame: { width, height },
    inputs: [{ file }],
    outputs: [{ file: output, args }],
  });
  return frames > 0 ? output : undefined;
}
