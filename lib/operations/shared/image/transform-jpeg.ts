import type { SourceImage } from "#lib/engines/image/open.ts";
import { requireDecodable, type SavedImage } from "#lib/engines/image/save.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { prepareTransform } from "#lib/formats/jpeg/prepare-change.ts";
import { combine, orientationOf, type Transform, transformOf } from "#lib/media/transform.ts";

/**
 * Writes a JPEG that jpegtran makes upright and then changes by `transform`, without loss, with its
 * metadata but without previews, and with the EXIF orientation 1. Undefined if `source` is no JPEG, if the
 * grid of its blocks does not allow it, or next to another operation of a chain, where pixels are not
 * encoded. Throws `JobError` if the pixels are damaged.
 */
export async function transformJpeg(
  source: SourceImage,
  transform: Transform,
  { isIntermediate, ...output }: WorkFile,
): Promise<SavedImage | undefined> {
  const { file, metadata, orientation, width, height } = source;
  if (metadata.format !== "jpeg" || file.encoding || isIntermediate) return undefined;
  const combined = combine(transformOf(orientation), transform);
  const prepared = prepareTransform(await readRegular(file.path), orientation, combined);
  if (!prepared) return undefined;
  await requireDecodable(source);
  await writeNew(output.path, prepared.bytes);
  const undone = orientationOf(combined);
  const { isProgressive } = prepared;
  return {
    ...output,
    ...(undone === 1 ? {} : { jpegChange: { pixels: { orientation: undone }, isProgressive } }),
    ...(combined.swapsAxes ? { width: height, height: width } : { width, height }),
  };
}
