import { type Box, toStoredBox } from "#lib/engines/image/box.ts";
import type { SourceImage } from "#lib/engines/image/open.ts";
import { requireDecodable, type SavedImage, saveInSourceFormat } from "#lib/engines/image/save.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { prepareCrop } from "#lib/formats/jpeg/prepare-change.ts";

/**
 * Writes `box` of each frame, in the format of the source. The box is in the displayed image and
 * completely inside. The EXIF orientation stays as it is. A JPEG is cropped without loss if the grid of
 * its blocks allows it. Throws `JobError` if the pixels are damaged.
 */
export async function cropImage(
  source: SourceImage,
  box: Box,
  output: WorkFile,
): Promise<SavedImage> {
  const stored = toStoredBox(source, box);
  const isJpeg =
    source.metadata.format === "jpeg" && !source.file.encoding && !output.isIntermediate;
  const prepared = isJpeg ? prepareCrop(await readRegular(source.file.path), stored) : undefined;
  // libvips does not decode the pixels below the box, and jpegtran decodes none.
  if (prepared || stored.top + stored.height < source.height) await requireDecodable(source);
  if (!prepared) return saveInSourceFormat(source, source.pipeline().extract(stored), output);
  const { bytes, isProgressive } = prepared;
  await writeNew(output.path, bytes);
  const { width, height } = box;
  return { ...output, width, height, jpegChange: { pixels: stored, isProgressive } };
}
