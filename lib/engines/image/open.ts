import type { FailOnOptions, Metadata, Sharp, SharpOptions } from "sharp";
import { JobError, type JobErrorCode } from "#lib/errors.ts";
import { hasInvalidOrientation } from "#lib/formats/tiff/tiff-orientation.ts";
import { type LimitId, limitError, widestLimits } from "#lib/limits/limits.ts";
import { isPlainError } from "#lib/media/damaged-data.ts";
import { failureMessages } from "../sandbox/failures/failures.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";

export type { Metadata, OverlayOptions, Sharp, SharpOptions } from "sharp";

/**
 * Opens images with sharp. It runs in workers only, because libvips reads untrusted files and has
 * process-wide state. Other processes import this module, but never load sharp.
 */

/**
 * The loaders that libvips may use; all others are blocked. SVG is read from memory only, so that
 * relative references in it cannot be resolved, and JPEG also from memory: pictures of a PDF.
 */
const loaders = [
  "VipsForeignLoadJpegFile",
  "VipsForeignLoadJpegBuffer",
  "VipsForeignLoadPngFile",
  "VipsForeignLoadWebpFile",
  "VipsForeignLoadNsgifFile",
  "VipsForeignLoadHeifFile",
  "VipsForeignLoadTiffFile",
  "VipsForeignLoadTiffBuffer",
  "VipsForeignLoadSvgBuffer",
];

type SharpModule = typeof import("sharp").default;

let loaded: Promise<SharpModule> | undefined;

/** Loads sharp once. Its cache is disabled because each file is read only once. */
export function loadSharp(): Promise<SharpModule> {
  loaded ??= import("sharp").then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({ operation: loaders });
    return sharp;
  });
  return loaded;
}

/** Color spaces that need no conversion, with the depth of their channels. */
const nativeDepths = {
  srgb: "uchar",
  "b-w": "uchar",
  cmyk: "uchar",
  rgb16: "ushort",
  grey16: "ushort",
} as const;

export type NativeSpace = keyof typeof nativeDepths;

/** An image file with its header. Width and height are of one frame, before orientation. */
export interface SourceImage {
  readonly file: WorkFile;
  readonly metadata: Metadata;
  readonly width: number;
  readonly height: number;
  /** Frames of an animation or pages of a TIFF; 1 for all other images. */
  readonly pages: number;
  /** EXIF orientation, 1 to 8; 1 if it is missing or invalid. */
  readonly orientation: number;
  /** The color space of `pipeline`: that of the image, or sRGB for Lab, float and similar ones. */
  readonly space: NativeSpace;
  readonly depth: "uchar" | "ushort";
  /**
   * Creates a pipeline over all frames, one below the other, in the color space and depth of the
   * image. Its ICC profile is not applied, except from CMYK to sRGB. Profile, EXIF, XMP, delays and
   * loop count are kept.
   */
  readonly pipeline: (space?: NativeSpace) => Sharp;
  /** The same as `pipeline`, but in 8-bit sRGB: the ICC profile is applied and not kept. */
  readonly toSrgb: () => Sharp;
}

/** The size of `source` as it is displayed, after its EXIF orientation. */
export function displayedSize(source: SourceImage): { width: number; height: number } {
  const { width, height } = source;
  return source.orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** Formats of which all frames or pages are read. The "pages" of HEIF are not a sequence. */
const multiPageFormats: ReadonlySet<string> = new Set(["gif", "webp", "tiff"]);

export interface OpenOptions {
  /** Opens the first frame or page only, as if there were no others. */
  readonly firstPage?: boolean;
  /** Opens only this frame or page, counted from 0, which may differ in size and color from others. */
  readonly page?: number;
}

/**
 * Reads the header of `file`. Throws `JobError`: `too_complex` if it exceeds a limit, `corrupt`,
 * `unsupported_type`.
 */
export async function openImage(
  file: WorkFile,
  limits = widestLimits,
  { page, firstPage = page !== undefined }: OpenOptions = {},
): Promise<SourceImage> {
  const sharp = await loadSharp();
  const single = { ...(await optionsFor(file)), ...(page === undefined ? {} : { page }) };
  const first = await translateVipsErrors(sharp(file.path, single).metadata());
  const isSequence = multiPageFormats.has(first.format) && (first.pages ?? 1) > 1;
  if (isSequence && (first.pages ?? 1) > limits.imageFrames) {
    throw limitError("imageFrames", limits.imageFrames);
  }
  const { imagePixels } = limits;
  // The limit counts all frames, also those that are not opened.
  if (isSequence && first.width * first.height * (first.pages ?? 1) > imagePixels) {
    throw limitError("imagePixels", imagePixels);
  }
  const paged = isSequence && !firstPage;
  const options = paged ? { ...single, pages: -1 } : single;
  const read = paged ? await readAllPages(sharp(file.path, options), first) : first;
  // An image between two operations of a chain is treated as the file that it becomes.
  const metadata: Metadata = { ...read, ...file.encoding };
  const native = isNative(metadata);
  // CMYK with 16 bits is converted by its profile.
  const isTooDeep = !native && metadata.space in nativeDepths && metadata.space !== "cmyk";
  const space = native ? (metadata.space as NativeSpace) : "srgb"; // `isNative` has checked it
  const toSrgb = () => {
    if (isTooDeep) throw depthError();
    const opened = keepFileMetadata(sharp(file.path, options), metadata).toColorspace("srgb");
    // Without a profile, sharp would take 16 bits per channel for Display P3.
    const hasSpace = metadata.icc !== undefined || space === "cmyk";
    return hasSpace ? opened.withIccProfile("srgb", { attach: false }) : opened;
  };
  return {
    file,
    metadata,
    width: metadata.width,
    height: paged ? (metadata.pageHeight ?? metadata.height) : metadata.height,
    pages: paged ? (metadata.pages ?? 1) : 1,
    orientation: toOrientation(metadata.orientation),
    space,
    depth: nativeDepths[space],
    pipeline(wanted = space) {
      if (isTooDeep) throw depthError();
      if (space === "cmyk" && wanted === "srgb") return toSrgb();
      const opened = keepFileMetadata(sharp(file.path, options), metadata).toColorspace(wanted);
      const converts = !native || wanted !== space || wanted === "cmyk";
      return converts ? opened.pipelineColorspace(wanted) : opened;
    },
    toSrgb,
  };
}

/** The bit for EXIF in sharp's internal option `keepMetadata`. */
const exifBit = 0b1;

/**
 * Returns `image` with all metadata of its file. libvips would add EXIF to a file that has none.
 */
export function keepFileMetadata(image: Sharp, { exif }: Metadata): Sharp {
  const opened = image.keepMetadata();
  if (exif) return opened;
  // With sharp's public API, only profile and XMP can be kept without EXIF, not IPTC and comments.
  const { options } = opened as Sharp & { options: { keepMetadata: number } };
  options.keepMetadata &= ~exifBit;
  return opened;
}

/** Options for every input. By default, sharp fails on warnings. */
export const inputOptions: SharpOptions = {
  limitInputPixels: widestLimits.imagePixels,
  sequentialRead: true,
};

/** Options for the first frame of `file`. */
export async function optionsFor(file: WorkFile): Promise<SharpOptions> {
  return { ...inputOptions, failOn: await chooseFailOn(file) };
}

/** libtiff reports a warning for every private tag, so TIFF files fail on errors only. */
async function chooseFailOn({ path, extension }: WorkFile): Promise<FailOnOptions> {
  if (extension !== "tiff") return "warning";
  return (await hasInvalidOrientation(path)) ? "truncated" : "error";
}

async function readAllPages(opened: Sharp, first: Metadata): Promise<Metadata> {
  try {
    return await translateVipsErrors(opened.metadata());
  } catch (error) {
    if (first.format !== "tiff" || !(error instanceof JobError) || error.code !== "corrupt") {
      throw error;
    }
    const message = "TIFF files with pages of different size, depth or color are not supported.";
    throw new JobError("unsupported_type", message, { cause: error });
  }
}

/** libvips would cut off what is above 8 bits, so that the image is white, black or noise. */
function depthError(): JobError {
  const message =
    "Images with signed samples, integers above 16 bits or gray floating-point samples are not supported. Save the image with 8 or 16 bits per channel.";
  return new JobError("unsupported_type", message);
}

function isNative({ space, depth }: Metadata): boolean {
  return Object.entries(nativeDepths).some(
    ([name, nativeDepth]) => name === space && nativeDepth === depth,
  );
}

function toOrientation(tag: number | undefined): number {
  return tag !== undefined && tag >= 1 && tag <= 8 ? tag : 1;
}

const limitFailures: readonly (readonly [RegExp, LimitId])[] = [
  [/exceeds pixel limit/, "imagePixels"],
  [/exceeds channel limit/, "imageChannels"],
];

const failures: readonly (readonly [RegExp, JobErrorCode, string])[] = [
  [/too large for the/, "too_complex", "The image is too large for its format."],
  [/File too large/, "too_large", failureMessages.too_large],
  // libvips reads 8-bit CIELAB as its own packed format and then rejects it.
  [/bad labq format/, "unsupported_type", "CIELAB with 8 bits per channel is not supported."],
  [/^timeout/, "timed_out", failureMessages.timed_out],
  [/out of memory|Cannot allocate memory/i, "out_of_memory", failureMessages.out_of_memory],
];

/** Errors of the operating system, such as a full disk. They are not caused by the content. */
const systemFailure = /system error:|is missing/;

/** Resolves as `promise` does, with errors of libvips about the file translated to `JobError`. */
export async function translateVipsErrors<Result>(promise: Promise<Result>): Promise<Result> {
  try {
    return await promise;
  } catch (cause) {
    // sharp has no class for the errors of libvips.
    if (!(cause instanceof Error) || !isPlainError(cause)) throw cause;
    const { message } = cause;
    const exceeded = limitFailures.find(([pattern]) => pattern.test(message))?.[1];
    if (exceeded) throw limitError(exceeded, widestLimits[exceeded], cause);
    const known = failures.find(([pattern]) => pattern.test(message));
    if (known) throw new JobError(known[1], known[2], { cause });
    if (systemFailure.test(message)) throw cause;
    throw new JobError("corrupt", "The image is damaged or incomplete.", { cause });
  }
}
