import { type Sharp, type SourceImage, translateVipsErrors } from "#lib/engines/image/open.ts";
import { JobError } from "#lib/errors.ts";
import { flipFrames } from "./flip-frames.ts";

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
  const { depth, orientation, pages } = source;
  const space = readableSpace(source.space);
  const opened = source.pipeline(space).raw({ depth });
  const { data, info } = await translateVipsErrors(opened.toBuffer({ resolveWithObject: true }));
  const { channels } = info;
  // A copy starts at an even address, as 16-bit numbers must.
  const stored = depth === "ushort" ? new Uint16Array(Uint8Array.from(data).buffer) : data;
  const { width, height, samples } = flipFrames(
    { ...source, channels, samples: stored },
    orientation,
    direction,
  );
  const zeros = Array.from({ length: channels }, () => 0);
  const raw = { width, height: height * pages, channels };
  // The metadata comes with the opened file, so its pixels are set to zero and replaced. sharp's types
  // have only bytes; it detects the depth of raw pixels by the type of the array.
  const replaced = source
    .pipeline(space)
    .resize({ width, height, fit: "fill", kernel: "nearest" })
    .linear(zeros, zeros)
    .boolean(samples as Buffer, "or", { raw });
  if (orientation !== 1) resetOrientation(replaced);
  return replaced.toColourspace(source.space);
}

/** sharp reads the raw pixels of a gray image without their alpha. */
function readableSpace(space: SourceImage["space"]): SourceImage["space"] {
  return space === "b-w" ? "srgb" : space === "grey16" ? "rgb16" : space;
}

/** sharp's own method, `withMetadata`, would also convert the colors to sRGB. */
function resetOrientation(image: Sharp): void {
  const { options } = image as Sharp & { options: { withMetadataOrientation: number } };
  options.withMetadataOrientation = 1;
}
