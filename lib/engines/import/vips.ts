import { JobError } from "#lib/errors.ts";
import { limitError } from "#lib/limits/limits.ts";
import { EngineError } from "../sandbox/errors.ts";
import { translateEngineError } from "../sandbox/failures.ts";
import { type EngineOutput, runEngine } from "../sandbox/run-engine.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";

/**
 * Decodes images with the system's libvips, which reads more types than the one that sharp contains:
 * HEIC with libde265, JPEG XL with libjxl, JPEG 2000 with OpenJPEG, BMP and ICO with ImageMagick.
 */

/** A loader of libvips, as `vips --list` names it. */
export type VipsLoader = "heifload" | "jxlload" | "jp2kload" | "magickload" | "tiffload";

export interface VipsDecoding {
  readonly file: WorkFile;
  readonly loader: VipsLoader;
  /** The image in a file of several; by default the first or main one. */
  readonly page?: number;
  /** JPEG for photographs: EXIF and ICC profile are kept. PNG for all others, without loss. */
  readonly to: "jpg" | "png";
}

/** Quality 98 without subsampling: no loss is visible, and the file is a tenth of a PNG. */
const saveOptions = {
  jpg: "[Q=98,subsample-mode=off,background=255]",
  png: "[compression=1]",
} as const;

/** Decoders of libvips and ImageMagick use several times the size of the pixels. */
const memoryBytes = 3 * 2 ** 30;

/**
 * Decodes an image to a scratch file. Throws `JobError`: `too_complex` if it has too many pixels,
 * `corrupt`, `timed_out`, `out_of_memory`.
 */
export async function decodeWithVips(
  { file, loader, page, to }: VipsDecoding,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  await requireFewPixels(file, page, work, signal);
  const output = work.scratch(to);
  const pageOptions = page === undefined ? [] : ["--page", `${page}`];
  const target = `${output.name}${saveOptions[to]}`;
  await runVips("vips", [loader, file.name, target, ...pageOptions], work, signal);
  await work.requireRegularFiles("vips");
  return output;
}

/** Throws `too_complex` for an image above the limit, before it is decoded. */
async function requireFewPixels(
  file: WorkFile,
  page: number | undefined,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  const name = page === undefined ? file.name : `${file.name}[page=${page}]`;
  const { stdout } = await runVips("vipsheader", [name], work, signal);
  const [, width, height] = /: (\d+)x(\d+) [^\n]*\n?$/.exec(stdout.toString("utf8")) ?? [];
  const { imagePixels } = work.limits;
  if (Number(width) * Number(height) > imagePixels) throw limitError("imagePixels", imagePixels);
}

async function runVips(
  command: "vips" | "vipsheader",
  args: readonly string[],
  work: WorkFolder,
  signal: AbortSignal,
): Promise<EngineOutput> {
  try {
    return await runEngine({
      engine: "vips",
      command,
      args,
      ...work.view,
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
