import type { Sharp } from "sharp";
import { JobError } from "#lib/errors.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";
import { orJobError, type SourceImage } from "./open.ts";
import { bareExif, isLosslessWebp } from "./webp-chunks.ts";

/** A file that was written; width and height in pixels, of one frame, as it is displayed. */
export interface SavedImage extends WorkFile {
  readonly width: number;
  readonly height: number;
}

/**
 * Writes `pipeline`, made of `source`, as the format that the source has: lossless stays lossless,
 * lossy is encoded well above what is visible. Progressive stays progressive, delays and loop count
 * stay, no frame is dropped. Throws `JobError` where the pixels turn out to be damaged.
 */
export async function saveLike(
  source: SourceImage,
  pipeline: Sharp,
  output: WorkFile,
): Promise<SavedImage> {
  const encoded = await encodeLike(source, pipeline);
  const info = await orJobError(encoded.toFile(output.path));
  if (source.metadata.format === "webp" && source.metadata.exif) await bareExif(output.path);
  const height = source.pages > 1 ? (info.pageHeight ?? info.height) : info.height;
  const turned = source.orientation >= 5;
  return {
    ...output,
    width: turned ? height : info.width,
    height: turned ? info.width : height,
  };
}

async function encodeLike(source: SourceImage, pipeline: Sharp): Promise<Sharp> {
  const { metadata } = source;
  switch (metadata.format) {
    case "jpeg":
      return pipeline.jpeg({
        quality: 92,
        chromaSubsampling: metadata.chromaSubsampling?.startsWith("4:2:0") ? "4:2:0" : "4:4:4",
        progressive: metadata.isProgressive,
      });
    case "png":
      return pipeline.png({ progressive: metadata.isProgressive });
    case "webp":
      return (await isLosslessWebp(source.file.path))
        ? pipeline.webp({ lossless: true, exact: true })
        : pipeline.webp({ quality: 90 });
    case "gif":
      // The frames are dithered already; a palette of their own keeps the colours they have.
      return pipeline.gif({ dither: 0, reuse: false, keepDuplicateFrames: true });
    case "heif":
      return pipeline.avif({
        quality: 75,
        effort: 3,
        bitdepth: toBitDepth(metadata.bitsPerSample),
      });
    case "tiff":
      return pipeline.tiff({ compression: "lzw", predictor: "horizontal", ...density(source) });
    default:
      throw new JobError("unsupported_type", "Images of this type cannot be written.");
  }
}

/** libaom encodes 8, 10 and 12 bits a channel. */
function toBitDepth(bits = 8): 8 | 10 | 12 {
  return bits > 10 ? 12 : bits > 8 ? 10 : 8;
}

/** Pixels a millimetre, which sharp would else set to 1; `density` is in pixels an inch. */
function density({ metadata }: SourceImage) {
  if (!metadata.density) return {};
  const resolution = metadata.density / 25.4;
  return { xres: resolution, yres: resolution, resolutionUnit: metadata.resolutionUnit ?? "inch" };
}
