import type { NativeSpace, Sharp, SourceImage } from "./open.ts";
import { translateVipsErrors } from "./open.ts";

/** The pixels of all frames or pages, one below the other, with the channels of a pixel together. */
export interface FramePixels {
  /** The size of one frame, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly pages: number;
  readonly channels: 1 | 2 | 3 | 4;
  /** The samples, which are not premultiplied, with 8 or 16 bits a channel. */
  readonly samples: Uint8Array | Uint16Array;
}

/** sharp reads the raw pixels of a gray image without their alpha. */
export function readableSpace({ space }: Pick<SourceImage, "space">): NativeSpace {
  return space === "b-w" ? "srgb" : space === "grey16" ? "rgb16" : space;
}

/**
 * The pixels that a pipeline of `source` produces, in the depth of the source. Open the pipeline with
 * `readableSpace(source)`. Throws `JobError` if the image cannot be decoded.
 */
export async function readPixels(
  source: Pick<SourceImage, "pages" | "depth">,
  pipeline: Sharp,
): Promise<FramePixels> {
  const { pages, depth } = source;
  const raw = pipeline.raw({ depth }).toBuffer({ resolveWithObject: true });
  const { data, info } = await translateVipsErrors(raw);
  // A copy starts at an even address, as 16-bit numbers must.
  const samples = depth === "ushort" ? new Uint16Array(Uint8Array.from(data).buffer) : data;
  const { width, channels } = info;
  return { width, height: info.height / pages, pages, channels, samples };
}

/**
 * A pipeline of `source` with other pixels, whose size and alpha may differ, but with the same
 * metadata and frame delays, and with the EXIF orientation 1.
 */
export function replacePixels(source: SourceImage, pixels: FramePixels): Sharp {
  const { width, height, pages, channels, samples } = pixels;
  const sized = source
    .pipeline(readableSpace(source))
    .resize({ width, height, fit: "fill", kernel: "nearest" });
  if (channels === 4 && !source.metadata.hasAlpha) sized.unflatten(); // adds the channel
  const zeros = Array.from({ length: channels }, () => 0);
  const raw = { width, height: height * pages, channels };
  // The metadata comes with the opened file, so its pixels are set to zero and replaced. sharp's types
  // have only bytes; it detects the depth of raw pixels by the type of the array.
  const replaced = sized.linear(zeros, zeros).boolean(samples as Buffer, "or", { raw });
  if (source.orientation !== 1) resetOrientation(replaced);
  return replaced.toColourspace(source.space);
}

/** sharp's own method, `withMetadata`, would also convert the colors to sRGB. */
function resetOrientation(image: Sharp): void {
  const { options } = image as Sharp & { options: { withMetadataOrientation: number } };
  options.withMetadataOrientation = 1;
}
