import type { Sharp } from "sharp";
import { JobError } from "#lib/errors.ts";
import { copyToNew } from "#lib/files/regular-files.ts";
import { isLosslessWebp } from "#lib/formats/webp/webp-chunks.ts";
import type { JpegChange } from "../jpegtran/jpeg-change.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";
import { encodingOf, type ImageEncoding } from "./encoding.ts";
import { displayedSize, type SourceImage, translateVipsErrors } from "./open.ts";
import { writeWithoutPreviews } from "./remove-previews.ts";

/**
 * A written image. Width and height are of one displayed frame, in pixels. `encoding` is set if its
 * pixels are not encoded yet, `jpegChange` if jpegtran has still to change them.
 */
export interface SavedImage extends WorkFile {
  readonly width: number;
  readonly height: number;
  readonly jpegChange?: JpegChange;
}

/**
 * Writes `pipeline`, which was created from `source`, in the format of the source. Lossless images
 * stay lossless; lossy ones are encoded without visible loss. Progressive encoding, delays, loop
 * count and all frames are kept. An output that another operation of the chain reads is not encoded,
 * if it has one frame. Previews in its metadata, which show the image as it was, are removed. Throws
 * `JobError` if the pixels are damaged.
 */
export async function saveInSourceFormat(
  source: SourceImage,
  pipeline: Sharp,
  { isIntermediate, ...output }: WorkFile,
): Promise<SavedImage> {
  const { metadata } = source;
  const encoding =
    isIntermediate && canStayDecoded(source) ? { ...(await describeEncoding(source)) } : undefined;
  const encoded = encoding
    ? pipeline.png({ compressionLevel: 0 })
    : await encodeInSourceFormat(source, pipeline);
  const info = await writeWithoutPreviews(encoded, output.path, metadata);
  const height = source.pages > 1 ? (info.pageHeight ?? info.height) : info.height;
  const isRotated = source.orientation >= 5;
  return {
    ...output,
    ...(encoding ? { encoding } : {}),
    width: isRotated ? height : info.width,
    height: isRotated ? info.width : height,
  };
}

/** Whether PNG can hold everything of the image. */
function canStayDecoded({ pages, space, metadata }: SourceImage): boolean {
  return pages === 1 && space !== "cmyk" && metadata.format !== "tiff";
}

async function describeEncoding({ file, metadata }: SourceImage): Promise<ImageEncoding> {
  const isLossless = metadata.format === "webp" && (await isLosslessSource(file));
  return { ...encodingOf(metadata), ...(isLossless ? { isLossless } : {}) };
}

function isLosslessSource({ path, encoding }: WorkFile): Promise<boolean> | boolean {
  return encoding ? encoding.isLossless === true : isLosslessWebp(path);
}

/** Saves as `saveInSourceFormat` does, from a pipeline that made `source` upright. */
export function saveUpright(
  source: SourceImage,
  pipeline: Sharp,
  output: WorkFile,
): Promise<SavedImage> {
  return saveInSourceFormat({ ...source, orientation: 1 }, pipeline, output);
}

/** Decodes all pixels, for a result that has only a part of them. Throws `JobError` if one is damaged. */
export async function requireDecodable(source: SourceImage): Promise<void> {
  const decoded = source.pipeline().resize({ width: 1, height: 1, fit: "fill" });
  await translateVipsErrors(decoded.raw().toBuffer());
}

/** Copies the file of `source`, for an image that does not change. Throws `JobError` if it is damaged. */
export async function copySource(source: SourceImage, output: WorkFile): Promise<SavedImage> {
  if (source.file.encoding) return saveInSourceFormat(source, source.pipeline(), output);
  await requireDecodable(source);
  await copyToNew(source.file.path, output.path);
  return { ...output, ...displayedSize(source) };
}

async function encodeInSourceFormat(source: SourceImage, pipeline: Sharp): Promise<Sharp> {
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
      return (await isLosslessSource(source.file))
        ? pipeline.webp({ lossless: true, exact: true })
        : pipeline.webp({ quality: 90 });
    case "gif":
      // The frames are already dithered. A new palette keeps their colors.
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

/** libaom encodes 8, 10 and 12 bits per channel. */
function toBitDepth(bits = 8): 8 | 10 | 12 {
  return bits > 10 ? 12 : bits > 8 ? 10 : 8;
}

/** sharp would set the resolution to 1 pixel per millimeter; `density` is in pixels per inch. */
function density({ metadata }: SourceImage) {
  if (!metadata.density) return {};
  const resolution = metadata.density / 25.4;
  return { xres: resolution, yres: resolution, resolutionUnit: metadata.resolutionUnit ?? "inch" };
}
