import { encodeLosslessJxl } from "#lib/engines/import/vips.ts";
import { EngineError } from "#lib/engines/sandbox/failures/errors.ts";
import { translateEngineError } from "#lib/engines/sandbox/failures/failures.ts";
import { runEngine } from "#lib/engines/sandbox/run-engine.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { withFileSource } from "#lib/media/byte-source.ts";

/** Writes JPEG XL files with libjxl: its program cjxl, or libvips where that loses something. */

export interface JxlEncoding {
  /** The quality from 1 to 100; ignored if `lossless`. */
  readonly quality: number;
  readonly lossless: boolean;
  readonly progressive: boolean;
  /** The pixels of all frames, which decide how hard the encoder tries. */
  readonly pixels: number;
}

/** The encoder holds an image of 100 megapixels as floating-point numbers. */
const memoryBytes = 7 * 2 ** 30;

/**
 * cjxl's effort, 1 to 9, by megapixels. At 7 it needs 130 bytes and 0.4 µs of two cores per pixel, at 3
 * a third and an eighth of that, for files about as large.
 */
function effortFor(pixels: number): number {
  const megapixels = pixels / 1e6;
  return megapixels <= 8 ? 7 : megapixels <= 24 ? 4 : 3;
}

/**
 * Encodes the PNG or animated PNG `source` with its profile and EXIF data. Throws `JobError`
 * (`out_of_memory`, `timed_out`, `engine_crashed`, `too_large`).
 */
export async function encodeJxl(
  source: WorkFile,
  output: WorkFile,
  { quality, lossless, progressive, pixels }: JxlEncoding,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  const effort = effortFor(pixels);
  // cjxl of libjxl 0.7 stores 8 bits of each alpha value.
  if (lossless && (await hasDeepAlpha(source))) {
    return encodeLosslessJxl(source, output, { effort }, work, signal);
  }
  const distance = lossless ? ["-d", "0"] : ["-q", `${quality}`];
  const args = [...distance, "-e", `${effort}`, ...(progressive ? ["-p"] : [])];
  await runCjxl([...args, source.name, output.name], work, signal).catch((error: unknown) => {
    throw translateEngineError(error);
  });
}

/** Whether a PNG has 16 bits per channel and an alpha channel (PNG, third edition, 11.2.1). */
function hasDeepAlpha({ path }: WorkFile): Promise<boolean> {
  return withFileSource(path, async ({ head }) => {
    const [depth, colorType = 0] = head.subarray(24, 26);
    return depth === 16 && (colorType & 4) !== 0;
  });
}

/**
 * Packs the JPEG `source` into JPEG XL without decoding it, so that the file can be restored exactly;
 * about a fifth smaller. False if the JPEG is of a kind that JPEG XL cannot hold, such as CMYK.
 */
export async function packJpeg(
  source: WorkFile,
  output: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await runCjxl(["-j", "1", source.name, output.name], work, signal);
    return true;
  } catch (error) {
    // Exits with an error for a JPEG that it cannot pack.
    if (error instanceof EngineError && error.exitCode !== null && !error.aborted) return false;
    throw translateEngineError(error);
  }
}

async function runCjxl(
  args: readonly string[],
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  const limits = {
    timeoutMs: work.limits.imageSeconds * 1000,
    memoryBytes,
    fileBytes: work.limits.resultBytes,
  };
  const command = { engine: "cjxl", command: "cjxl", args: ["--quiet", ...args] } as const;
  await runEngine({ ...command, ...work.view, signal, limits });
}
