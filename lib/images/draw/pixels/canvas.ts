import { loadSharp, type Sharp, translateVipsErrors } from "#lib/engines/image/open.ts";
import { JobError } from "#lib/errors.ts";
import { type Box, maxPixels, type Size } from "../../plan/size.ts";

/** An image whose pixels are not computed yet, and its size. In a worker. */
export interface Canvas extends Size {
  readonly image: Sharp;
}

/** Computes the pixels. */
export async function settle({ image }: Canvas): Promise<Canvas> {
  const sharp = await loadSharp();
  const computed = image.toColorspace("srgb").raw().toBuffer({ resolveWithObject: true });
  const { data, info } = await translateVipsErrors(computed);
  const { width, height, channels } = info;
  return { image: sharp(data, { raw: { width, height, channels } }), width, height };
}

/** A part of an image. */
export function extract(canvas: Canvas, { left, top, width, height }: Box): Canvas {
  if (width === canvas.width && height === canvas.height) return canvas;
  return { image: canvas.image.extract({ left, top, width, height }), width, height };
}

/** Throws `JobError` if a picture of this size has too many pixels. */
export function requireDrawable({ width, height }: Size): void {
  if (width * height > maxPixels) {
    throw new JobError("too_complex", "The picture would have too many pixels.");
  }
}
