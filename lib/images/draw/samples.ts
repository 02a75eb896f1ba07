import { type Sharp, translateVipsErrors } from "#lib/engines/image/open.ts";

/** Pixels with 8 bits a channel, in sRGB, with the channels of a pixel together. */
export interface Samples {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

/** Computes the pixels of an image, in a worker. */
export async function readSamples(image: Sharp): Promise<Samples> {
  const computed = image.toColorspace("srgb").raw().toBuffer({ resolveWithObject: true });
  const { data, info } = await translateVipsErrors(computed);
  return { data, width: info.width, height: info.height, channels: info.channels };
}
