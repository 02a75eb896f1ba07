import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { limitFrames, mapStream, singleImage } from "../arguments.ts";
import { findCover } from "../audio-streams.ts";
import { runFfmpeg } from "../ffmpeg.ts";
import type { MediaInfo } from "../media-info.ts";

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
    ...{ work, signal, frame: { width, height } },
    inputs: [{ file }],
    outputs: [{ file: output, args }],
  });
  return frames > 0 ? output : undefined;
}
