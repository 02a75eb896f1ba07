import type { WorkFile } from "../sandbox/work-folder.ts";
import { type Box, toStoredBox } from "./box.ts";
import type { SourceImage } from "./open.ts";
import { requireDecodable, type SavedImage, saveChanged } from "./save.ts";

/**
 * Writes `box` of each frame, in the format of the source. The box is in the displayed image and
 * completely inside. The EXIF orientation stays as it is. Throws `JobError` if the pixels are damaged.
 */
export async function cropImage(
  source: SourceImage,
  box: Box,
  output: WorkFile,
): Promise<SavedImage> {
  const stored = toStoredBox(source, box);
  // libvips does not decode the rows below the box.
  if (stored.top + stored.height < source.height) await requireDecodable(source);
  return saveChanged(source, source.pipeline().extract(stored), output);
}
