import { readableSpace, readPixels, replacePixels } from "#lib/engines/image/frames.ts";
import type { Sharp, SourceImage } from "#lib/engines/image/open.ts";
import { orientFrames } from "#lib/engines/image/orient-frames.ts";
import { JobError } from "#lib/errors.ts";
import { combine, flipOf, transformOf } from "#lib/media/transform.ts";

export const directions = ["horizontal", "vertical"] as const;

export type Direction = (typeof directions)[number];

/**
 * A pipeline of `source`, upright and then mirrored, with its metadata and the EXIF orientation 1.
 * Pixels only move. Throws `JobError`: `unsupported_type` for several pages in CMYK, except for those
 * that are upright and flipped horizontally.
 */
export async function flipImage(source: SourceImage, direction: Direction): Promise<Sharp> {
  // sharp turns and flips frames as the one tall image in which they are.
  const { pages, orientation, space } = source;
  if (pages > 1 && (direction === "vertical" || orientation !== 1)) {
    if (space !== "cmyk") return flipPages(source, direction);
    throw new JobError("unsupported_type", "CMYK images with several pages cannot be flipped.");
  }
  const upright = source.pipeline().autoOrient();
  return direction === "horizontal" ? upright.flop() : upright.flip();
}

async function flipPages(source: SourceImage, direction: Direction): Promise<Sharp> {
  const pixels = await readPixels(source, source.pipeline(readableSpace(source)));
  const transform = combine(transformOf(source.orientation), flipOf(direction));
  return replacePixels(source, orientFrames(pixels, transform));
}
