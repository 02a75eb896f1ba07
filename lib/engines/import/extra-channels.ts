import { readExtraChannels } from "#lib/formats/tiff/extra-channels.ts";
import { withFileSource } from "#lib/media/byte-source.ts";
import { describeCount } from "../ffmpeg/dropped-streams.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { keepChannels } from "./vips.ts";

/**
 * A copy of a TIFF file without the channels that no image has, such as selections and spot colors of Photoshop;
 * undefined if it has none. `work` gets a warning. Throws `JobError` if the file is damaged or too large.
 */
export async function dropExtraChannels(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile | undefined> {
  const channels = await withFileSource(file.path, readExtraChannels);
  if (!channels) return undefined;
  const { shown, extra } = channels;
  const what = describeCount(extra, "extra channel");
  work.warn(`${what} left out, such as a selection or a spot color.`);
  return keepChannels(file, shown, work, signal);
}
