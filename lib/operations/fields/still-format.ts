import { z } from "zod";
import { type StillFormat, stillFormats } from "#lib/engines/ffmpeg/frames/still-image.ts";

/** The format of images that are made from a video. */
export function stillFormat(initial: StillFormat) {
  return z
    .enum(stillFormats)
    .default(initial)
    .describe("The format of the image. PNG is lossless; PNG and WebP keep transparency.");
}
