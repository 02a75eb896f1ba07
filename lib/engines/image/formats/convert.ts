import type { Sharp } from "sharp";
import { removeExifPrefix } from "#lib/formats/webp/webp-chunks.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import { parseColor } from "#lib/media/color.ts";
import { transformOf } from "#lib/media/transform.ts";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { defaultQuality, type EncodableFormat, encodeAs, multiFrameFormats } from "../encode.ts";
import { readPixels } from "../frames.ts";
import { type NativeSpace, openImage, type SourceImage, translateVipsErrors } from "../open.ts";
import { orientFrames } from "../orient-frames.ts";
import { removePreviews } from "../remove-previews.ts";
import { copySource, type SavedImage } from "../save.ts";
import { transformUpright } from "../upright.ts";
import { writeApng } from "./write-apng.ts";
import { writeAvifSequence } from "./write-avif-sequence.ts";

/** Converts images to other formats, in a worker. */

export interface Conversion {
  /** `apng` is an animated PNG, or a PNG of an image with one frame. */
  readonly format: EncodableFormat | "apng";
  readonly quality?: number | undefined;
  readonly lossless?: boolean | undefined;
  readonly progressive?: boolean | undefined;
  /**
   * The background as `#rrggbb` or another form of `parseColor`. It is under transparent pixels if
   * the format has none.
   */
  readonly background: string;
}

/** Formats without 16 bits per channel. */
const byteFormats: ReadonlySet<string> = new Set(["jpeg", "webp", "gif"]);

/** Formats that libvips writes in color only, without the profile of a gray image. */
const colorFormats: ReadonlySet<string> = new Set(["webp", "avif"]);

/**
 * Converts `file`. The result is upright and has the profile, EXIF and XMP of the image as far as its
 * format can hold them. An animation keeps its frames in GIF, WebP, AVIF, TIFF and animated PNG; in
 * JPEG and PNG it becomes its first frame. The file is copied if it already has the format and no
 * encoder option is given, unless it `isDecoded`: between two operations of a chain. Throws `JobError`.
 */
export async function convertImage(
  file: WorkFile,
  conversion: Conversion,
  work: WorkFolder,
  isDecoded = false,
): Promise<SavedImage> {
  const { format } = conversion;
  // AVIF holds frames, but libvips writes only single ones.
  const source = await openFrames(file, format === "avif" ? "apng" : format, work.limits);
  const { metadata } = source;
  const output = work.output(extensionOf(format));
  if (!isDecoded && isUnchanged(source, conversion)) {
    return copySource(source, output);
  }
  if (source.pages > 1 && (format === "apng" || format === "avif")) {
    return writeFrames(source, conversion, output);
  }
  // libvips rotates no frames that are one below the other.
  const isTurned = source.pages > 1 && source.orientation > 1;
  const prepared = isTurned
    ? await transformUpright(source, (frame) => frame, work)
    : preparePixels(source, conversion);
  const pipeline = encodeAs(prepared, {
    ...conversion,
    format: format === "apng" ? "png" : format,
    bitDepth: source.depth === "ushort" ? 10 : 8,
    density: metadata.density,
  });
  const info = await translateVipsErrors(pipeline.toFile(output.path));
  if (format === "webp" && metadata.exif) await removeExifPrefix(output.path);
  // A preview is not turned with the image.
  if (source.orientation > 1) await removePreviews(output.path, metadata);
  const height = source.pages > 1 ? (info.pageHeight ?? info.height) : info.height;
  return { ...output, width: info.width, height };
}

/** Writes an animation in a format that libvips does not write: 8-bit sRGB, upright. */
async function writeFrames(
  source: SourceImage,
  { format, quality = defaultQuality.avif, lossless = false }: Conversion,
  output: WorkFile,
): Promise<SavedImage> {
  const stored = await readPixels(
    { pages: source.pages, depth: "uchar" },
    source.toSrgb().ensureAlpha(),
  );
  const pixels =
    source.orientation > 1 ? orientFrames(stored, transformOf(source.orientation)) : stored;
  if (format === "apng") return writeApng(pixels, source.metadata, output);
  return writeAvifSequence(pixels, source.metadata, output, lossless ? { lossless } : { quality });
}

const extensions = { jpeg: "jpg", apng: "png" } as const;

const extensionOf = (format: Conversion["format"]) =>
  format === "jpeg" || format === "apng" ? extensions[format] : format;

/** Opens `file` with all frames that `format` holds. Of the pages of a TIFF, only a TIFF gets all. */
export async function openFrames(
  file: WorkFile,
  format: Conversion["format"],
  limits: FileLimits,
): Promise<SourceImage> {
  const isTiff = file.extension === "tiff";
  const holdsFrames = format === "apng" || multiFrameFormats.has(format);
  const keepsFrames = isTiff ? format === "tiff" : holdsFrames;
  return openImage(file, limits, { firstPage: !keepsFrames });
}

function isUnchanged({ metadata }: SourceImage, conversion: Conversion): boolean {
  const { format, quality, lossless = false, progressive = false } = conversion;
  const current = metadata.format === "heif" ? "avif" : metadata.format;
  return format === current && quality === undefined && !lossless && !progressive;
}

interface Preparation extends Pick<Conversion, "format" | "background"> {
  /** Converts the colors to sRGB, so that the image needs no profile. */
  readonly appliesProfile?: boolean;
}

/** The upright pixels in a color space of the format, with the metadata that they still have. */
export function preparePixels(
  source: SourceImage,
  { format, background, appliesProfile = false }: Preparation,
): Sharp {
  const pipeline = appliesProfile ? source.toSrgb() : inSpaceOf(source, format);
  // Frames one below the other cannot be rotated; formats with frames hold the orientation as a tag.
  const upright = source.pages === 1 ? pipeline.autoOrient() : pipeline;
  if (format !== "jpeg" || !source.metadata.hasAlpha) return upright;
  const { red: r, green: g, blue: b } = parseColor(background);
  return upright.flatten({ background: { r, g, b } });
}

/** A pipeline in a color space that the format has. Without a place for it, the profile is applied. */
function inSpaceOf(source: SourceImage, format: Conversion["format"]): Sharp {
  const wanted = spaceFor(source, format);
  const isApplied =
    format === "gif" ||
    (source.space === "cmyk" && wanted !== "cmyk") ||
    losesProfile(source, format);
  return isApplied ? source.toSrgb() : source.pipeline().toColorspace(wanted);
}

/** Whether `format` cannot hold the profile of a gray image, whose colors would change without it. */
export function losesProfile(
  { space, metadata }: SourceImage,
  format: Conversion["format"],
): boolean {
  const isGray = space === "b-w" || space === "grey16";
  return isGray && metadata.hasProfile && colorFormats.has(format);
}

function spaceFor({ space, metadata }: SourceImage, format: Conversion["format"]): NativeSpace {
  if (space === "cmyk") {
    // The background under transparent pixels is RGB.
    const staysCmyk = format === "tiff" || (format === "jpeg" && !metadata.hasAlpha);
    return staysCmyk ? "cmyk" : "srgb";
  }
  if (!byteFormats.has(format)) return space;
  return space === "grey16" ? "b-w" : space === "rgb16" ? "srgb" : space;
}
