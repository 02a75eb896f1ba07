import type { FailOnOptions, Metadata, Sharp, SharpOptions } from "sharp";
import { JobError, type JobErrorCode } from "#lib/errors.ts";
import { type LimitId, limitError, widestLimits } from "#lib/limits/limits.ts";
import { failureSentences } from "../sandbox/failures.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";
import { hasBadOrientation } from "./tiff-orientation.ts";

export type { Sharp } from "sharp";

/**
 * sharp, as an image worker uses it. Only there: libvips keeps its state process-wide and reads
 * hostile files, so this loads it on first use and no other process makes that use.
 */

/** libvips' names of the loaders in use; all others are blocked. SVG is read from memory alone, so
 * that it has no folder to which a reference in it could resolve. */
const loaders = [
  "VipsForeignLoadJpegFile",
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

/** sharp, loaded once, with the cache off: each file is read once. */
export function loadSharp(): Promise<SharpModule> {
  loaded ??= import("sharp").then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(2);
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({ operation: loaders });
    return sharp;
  });
  return loaded;
}

/** Colour spaces that are worked in as they are, each with the depth of its channels. */
const nativeDepths = {
  srgb: "uchar",
  "b-w": "uchar",
  cmyk: "uchar",
  rgb16: "ushort",
  grey16: "ushort",
} as const;

export type NativeSpace = keyof typeof nativeDepths;

/** An image file and what its header says. Width and height are one frame's, before orientation. */
export interface SourceImage {
  readonly file: WorkFile;
  readonly metadata: Metadata;
  readonly width: number;
  readonly height: number;
  /** Frames of an animation or pages of a TIFF; 1 for all else. */
  readonly pages: number;
  /** EXIF orientation, 1 to 8; what is no orientation counts as 1. */
  readonly orientation: number;
  /** The space that `pipeline` works in: the image's own, or sRGB for Lab, float and the like. */
  readonly space: NativeSpace;
  readonly depth: "uchar" | "ushort";
  /**
   * A fresh pipeline over all frames, one under the other, in the image's own space and depth,
   * with nothing converted by its ICC profile; it keeps profile, EXIF, XMP, delays and loop count.
   */
  readonly pipeline: (space?: NativeSpace) => Sharp;
}

/** Formats whose frames or pages are all read. HEIF "pages" are other pictures, not a sequence. */
const multiPage: ReadonlySet<string> = new Set(["gif", "webp", "tiff"]);

/**
 * Reads the header of `file`. Throws `JobError`: `too_complex` past a cap, `corrupt`,
 * `unsupported_type`.
 */
export async function openImage(file: WorkFile, caps = widestLimits): Promise<SourceImage> {
  const sharp = await loadSharp();
  const single = await optionsFor(file);
  const first = await orJobError(sharp(file.path, single).metadata());
  const paged = multiPage.has(first.format) && (first.pages ?? 1) > 1;
  if (paged && (first.pages ?? 1) > caps.imageFrames) {
    throw limitError("imageFrames", caps.imageFrames);
  }
  const options = paged ? { ...single, pages: -1 } : single;
  const metadata = paged ? await readAllPages(sharp(file.path, options), first) : first;
  const native = isNative(metadata);
  const space = native ? (metadata.space as NativeSpace) : "srgb"; // isNative has looked it up
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
      const opened = keepOwnMetadata(sharp(file.path, options), metadata).toColourspace(wanted);
      const converts = !native || wanted !== space || wanted === "cmyk";
      return converts ? opened.pipelineColourspace(wanted) : opened;
    },
  };
}

/** The bit for EXIF in what sharp calls `keepMetadata`. */
const exifBit = 0b1;

/** `image` with all metadata that its file has. Of a file without EXIF libvips would make some. */
export function keepOwnMetadata(image: Sharp, { exif }: Metadata): Sharp {
  const opened = image.keepMetadata();
  if (exif) return opened;
  // sharp lets one choose profile and XMP alone, which would drop IPTC and comments.
  const { options } = opened as Sharp & { options: { keepMetadata: number } };
  options.keepMetadata &= ~exifBit;
  return opened;
}

/** What every input is opened with. Without more, a warning is a failure: sharp's default. */
export const inputOptions: SharpOptions = {
  limitInputPixels: widestLimits.imagePixels,
  sequentialRead: true,
};

/** What the first frame of `file` is opened with. */
export async function optionsFor(file: WorkFile): Promise<SharpOptions> {
  return { ...inputOptions, failOn: await chooseFailOn(file) };
}

/** libtiff warns of every private tag, so that in a TIFF only errors count. */
async function chooseFailOn({ path, extension }: WorkFile): Promise<FailOnOptions> {
  if (extension !== "tiff") return "warning";
  return (await hasBadOrientation(path)) ? "truncated" : "error";
}

async function readAllPages(opened: Sharp, first: Metadata): Promise<Metadata> {
  try {
    return await orJobError(opened.metadata());
  } catch (error) {
    if (first.format !== "tiff" || !(error instanceof JobError) || error.code !== "corrupt") {
      throw error;
    }
    const sentence = "TIFF files whose pages differ in size, depth or colour are not supported.";
    throw new JobError("unsupported_type", sentence, { cause: error });
  }
}

function isNative({ space, depth }: Metadata): boolean {
  return Object.entries(nativeDepths).some(([name, own]) => name === space && own === depth);
}

function toOrientation(tag: number | undefined): number {
  return tag !== undefined && tag >= 1 && tag <= 8 ? tag : 1;
}

const cappedFailures: readonly (readonly [RegExp, LimitId])[] = [
  [/exceeds pixel limit/, "imagePixels"],
  [/exceeds channel limit/, "imageChannels"],
];

const failures: readonly (readonly [RegExp, JobErrorCode, string])[] = [
  [/too large for the/, "too_complex", "The image is too large for its format."],
  [/File too large/, "too_large", failureSentences.too_large],
  // libvips takes 8-bit CIELAB for its own packed form of it and then finds that it is not.
  [/bad labq format/, "unsupported_type", "CIELAB of 8 bits a channel is not supported."],
  [/^timeout/, "timed_out", failureSentences.timed_out],
  [/out of memory|Cannot allocate memory/i, "out_of_memory", failureSentences.out_of_memory],
];

/** What the system answered when a file was opened or written: a full disk, not the content's fault. */
const systemFailure = /system error:|is missing/;

/** `promise`, with what libvips says about a bad file turned into a `JobError`. */
export async function orJobError<Result>(promise: Promise<Result>): Promise<Result> {
  try {
    return await promise;
  } catch (cause) {
    if (cause instanceof JobError || !(cause instanceof Error)) throw cause;
    const { message } = cause;
    const capped = cappedFailures.find(([pattern]) => pattern.test(message))?.[1];
    if (capped) throw limitError(capped, widestLimits[capped], cause);
    const known = failures.find(([pattern]) => pattern.test(message));
    if (known) throw new JobError(known[1], known[2], { cause });
    if (systemFailure.test(message)) throw cause;
    throw new JobError("corrupt", "The image is damaged or incomplete.", { cause });
  }
}
