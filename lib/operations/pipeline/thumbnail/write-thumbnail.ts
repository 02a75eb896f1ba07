import { loadSharp, openImage, translateVipsErrors } from "#lib/engines/image/open.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";

export interface ThumbnailOptions {
  /** The width in pixels. A smaller image keeps its size. */
  readonly width: number;
  readonly maxHeight: number;
}

/** Writes the first frame of an image as a JPEG on white: upright, in sRGB and without metadata. */
export const writeThumbnail = async ({ files, options, work }: WorkerCall<ThumbnailOptions>) => {
  const [file] = files;
  if (!file) throw new Error("a thumbnail needs an image");
  const sharp = await loadSharp();
  const source = await openImage(file, work.limits, { firstPage: true });
  const { width, maxHeight: height } = options;
  const scaled = source
    .toSrgb()
    .autoOrient()
    .resize({ width, height, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .toColorspace("srgb")
    .raw({ depth: "uchar" });
  const { data, info } = await translateVipsErrors(scaled.toBuffer({ resolveWithObject: true }));
  const output = work.output("jpg");
  const raw = { width: info.width, height: info.height, channels: info.channels };
  // Text in documents has thin colored strokes.
  const jpeg = { quality: 86, chromaSubsampling: "4:4:4", mozjpeg: true };
  await sharp(data, { raw }).jpeg(jpeg).toFile(output.path);
  return { outputs: [{ ...output, width: info.width, height: info.height }] };
};
