import { loadSharp, type Sharp, translateVipsErrors } from "#lib/engines/image/open.ts";
import type { Size } from "../../plan/geometry.ts";

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
