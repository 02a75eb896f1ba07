import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { transformJpegFile } from "#lib/formats/jpeg/transform-file.ts";
import { combine, type Transform, transformOf } from "#lib/media/transform.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";
import type { SourceImage } from "./open.ts";
import { requireDecodable, type SavedImage } from "./save.ts";

/**
 * Writes a JPEG upright and then changed by `transform`, without loss, with its metadata but without
 * previews, and with the EXIF orientation 1. Undefined if `source` is no sequential JPEG, if the grid of
 * its blocks does not allow it, or next to another operation of a chain, where pixels are not encoded.
 * Throws `JobError` if the pixels are damaged.
 */
export async function transformJpeg(
  source: SourceImage,
  transform: Transform,
  { isIntermediate, ...output }: WorkFile,
): Promise<SavedImage | undefined> {
  const { file, metadata, orientation, width, height } = source;
  const isSequential = metadata.format === "jpeg" && !metadata.isProgressive;
  if (!isSequential || file.encoding || isIntermediate) return undefined;
  const combined = combine(transformOf(orientation), transform);
  const transformed = transformJpegFile(await readRegular(file.path), orientation, combined);
  if (!transformed) return undefined;
  await requireDecodable(source);
  await writeNew(output.path, transformed);
  return {
    ...output,
    ...(combined.swapsAxes ? { width: height, height: width } : { width, height }),
  };
}
