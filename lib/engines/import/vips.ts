import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { JobError } from "#lib/errors.ts";
import { limitError } from "#lib/limits/limits.ts";
import { EngineError } from "../sandbox/failures/errors.ts";
import { translateEngineError } from "../sandbox/failures/failures.ts";
import { type EngineOutput, runEngine } from "../sandbox/run-engine.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";

/**
 * Decodes images with the system's libvips, which reads more types than the one that sharp contains:
 * HEIC with libde265, JPEG XL with libjxl, JPEG 2000 with OpenJPEG. Its loader of ImageMagick, which
 * takes what no other loader reads, is hidden.
 */

/** A loader of libvips, as `vips --list` names it. */
export type VipsLoader = "heifload" | "jxlload" | "jp2kload" | "tiffload";

export interface VipsDecoding {
  readonly file: WorkFile;
  readonly loader: VipsLoader;
  /**
   * The format of the result: JPEG for photographs without transparency, whose EXIF and ICC profile are
   * kept, and PNG for all others, without loss.
   */
  readonly to: "jpg" | "png";
}

/** Quality 98 without subsampling: no loss is visible, and the file is a tenth of a PNG. */
const saveOptions = {
  jpg: "[Q=98,subsample-mode=off]",
  png: "[compression=1]",
} as const;

const hiddenModules = findModules("vips-magick.so");

/** The module `name` of every libvips that is installed in /usr/lib. */
function findModules(name: string): string[] {
  const folders = (path: string, pattern: RegExp) =>
    existsSync(path)
      ? readdirSync(path)
          .filter((entry) => pattern.test(entry))
          .map((entry) => join(path, entry))
      : [];
  return ["/usr/lib", "/usr/lib64", ...folders("/usr/lib", /-linux-gnu/)]
    .flatMap((library) => folders(library, /^vips-modules-/))
    .map((folder) => join(folder, name))
    .filter((path) => existsSync(path));
}

/** Decoders of libvips use several times the size of the pixels. */
const decodingMemoryBytes = 3 * 2 ** 30;

/**
 * Decodes an image to a scratch file. Throws `JobError`: `too_complex` if it has too many pixels,
 * `corrupt`, `timed_out`, `out_of_memory`.
 */
export async function decodeWithVips(
  { file, loader, to }: VipsDecoding,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const { hasAlpha } = await readHeader(file, work, signal);
  const format = hasAlpha ? "png" : to;
  const output = work.scratch(format);
  const target = `${output.name}${saveOptions[format]}`;
  await runVips("vips", [loader, file.name, target], work, signal);
  return output;
}

/**
 * Writes the PNG `source` as HEIC. Throws `JobError`: `unsupported_type` if the system's libheif has no
 * encoder for it, `timed_out`, `out_of_memory`.
 */
export async function encodeHeic(
  source: WorkFile,
  output: WorkFile,
  { quality }: { readonly quality: number },
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  const target = `${output.name}[compression=hevc,Q=${quality},effort=1]`;
  await runVips("vips", ["pngload", source.name, target], work, signal).catch((error: unknown) => {
    // The PNG is one of this service.
    if (!(error instanceof JobError && error.code === "corrupt")) throw error;
    const message = "HEIC cannot be written: the libheif of this installation has no encoder.";
    throw new JobError("unsupported_type", message, { cause: error });
  });
}

/** The encoder of JPEG XL holds an image of 100 megapixels as floating-point numbers. */
const jxlMemoryBytes = 7 * 2 ** 30;

/** Writes the PNG `source` as JPEG XL without loss. Throws `JobError`: `timed_out`, `out_of_memory`. */
export async function encodeLosslessJxl(
  source: WorkFile,
  output: WorkFile,
  { effort }: { readonly effort: number },
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  const target = `${output.name}[lossless,effort=${effort}]`;
  await runVips("vips", ["pngload", source.name, target], work, signal, jxlMemoryBytes);
}

/**
 * Writes the first `channels` channels of a TIFF file with all its pages to a scratch file. Throws as `decodeWithVips`,
 * and `corrupt` if the pages are of different sizes.
 */
export async function keepChannels(
  file: WorkFile,
  channels: number,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  await readHeader(file, work, signal);
  const output = work.scratch(file.extension);
  // All pages, of which none may be lost: with pages of different sizes, it fails.
  const source = `${file.name}[n=-1,fail-on=error]`;
  await runVips(
    "vips",
    ["extract_band", source, output.name, "0", "--n", `${channels}`],
    work,
    signal,
  );
  return output;
}

interface VipsHeader {
  /** The width times the height; NaN if they are not known. */
  readonly pixels: number;
  readonly hasAlpha: boolean;
}

/** Throws `too_complex` for an image above the limit, before it is decoded. */
async function readHeader(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<VipsHeader> {
  const { stdout } = await runVips("vipsheader", [file.name], work, signal);
  const header = parseHeader(stdout.toString("utf8"));
  const { imagePixels } = work.limits;
  if (header.pixels > imagePixels) throw limitError("imagePixels", imagePixels);
  return header;
}

/** The end of the output of vipsheader that has the size and the bands, in characters. */
const headerLength = 300;

/** Parses the output of vipsheader, such as `in/0.heic: 300x200 uchar, 4 bands, srgb, heifload`. */
export function parseHeader(output: string): VipsHeader {
  const end = output.slice(-headerLength);
  const [, width, height, bands, space] =
    /: (\d+)x(\d+) \w+, (\d+) bands?, ([\w-]+)[^\n]*\n?$/.exec(end) ?? [];
  const pixels = Number(width) * Number(height);
  // The fourth band of other color spaces, such as CMYK, is a color.
  const isColor = space === "srgb" || space === "rgb16";
  const isGray = space === "b-w" || space === "grey16";
  return { pixels, hasAlpha: (isColor && bands === "4") || (isGray && bands === "2") };
}

async function runVips(
  command: "vips" | "vipsheader",
  args: readonly string[],
  work: WorkFolder,
  signal: AbortSignal,
  memoryBytes = decodingMemoryBytes,
): Promise<EngineOutput> {
  try {
    return await runEngine({
      engine: "vips",
      command,
      args,
      ...(command === "vipsheader" ? work.readOnlyView : work.view),
      hidden: hiddenModules,
      signal,
      limits: {
        timeoutMs: work.limits.imageSeconds * 1000,
        memoryBytes,
        limitsAddressSpace: true,
        fileBytes: work.limits.resultBytes,
      },
      variables: { MALLOC_ARENA_MAX: "2", VIPS_CONCURRENCY: "2" },
    });
  } catch (error) {
    throw error instanceof EngineError ? translateVipsError(error) : error;
  }
}

const outOfMemory = /out of memory|unable to allocate|cache resources exhausted/i;

function translateVipsError(error: EngineError): unknown {
  if (error.aborted || error.timedOut || error.signal || error.outOfMemory) {
    return translateEngineError(error);
  }
  if (outOfMemory.test(error.stderrTail)) {
    return new JobError(
      "out_of_memory",
      "This file needs more memory to process than a job may use.",
      {
        cause: error,
      },
    );
  }
  return new JobError("corrupt", "The image is damaged or incomplete.", { cause: error });
}
