import { copyToNew, openRegular } from "#lib/files/regular-files.ts";
import { brandAt, isAnimatedAvif } from "#lib/formats/animation/detect-animation.ts";
import { withFileSource } from "#lib/media/byte-source.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";

/**
 * Returns `file`, or if it is an animated AVIF file a copy that is named as a still image. libvips opens
 * no file of the brand `avis`; in the copy, it reads the still image that describes the animation, which is
 * its first frame.
 */
export async function toStillAvif<File extends WorkFile>(
  file: File,
  work: WorkFolder,
): Promise<File> {
  if (!(await withFileSource(file.path, isAnimatedAvif))) return file;
  const still = work.scratch("avif");
  await copyToNew(file.path, still.path);
  const copy = await openRegular(still.path, "r+");
  try {
    await copy.write("avif", brandAt, "latin1");
  } finally {
    await copy.close();
  }
  return { ...file, ...still };
}
