import { rename } from "node:fs/promises";
import { JobError } from "#lib/errors.ts";
import { EngineError } from "../sandbox/failures/errors.ts";
import { createJobFailure, translateEngineError } from "../sandbox/failures/failures.ts";
import { runEngine } from "../sandbox/run-engine.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import type { JpegChange } from "./jpeg-change.ts";

/**
 * Changes JPEG files with jpegtran of libjpeg-turbo, which moves their blocks of coefficients and decodes
 * no pixels.
 */

/** The coefficients of 100 megapixels in four components, once more for a rotation. */
const memoryBytes = 2 * 2 ** 30;

/** jpegtran exits with it if the file made it warn. */
const warnedCode = 2;

/** The arguments that make an image upright, by its EXIF orientation. */
const moves: Readonly<Record<number, readonly string[]>> = {
  2: ["-flip", "horizontal"],
  3: ["-rotate", "180"],
  4: ["-flip", "vertical"],
  5: ["-transpose"],
  6: ["-rotate", "90"],
  7: ["-transverse"],
  8: ["-rotate", "270"],
};

/**
 * Changes the JPEG `file`, which can be decoded without a warning, in its place and with all its metadata.
 * The top left corner of a box, and the size of an axis that is reversed, are multiples of its units of
 * blocks. Throws `JobError` (`corrupt`, `timed_out`, `out_of_memory`, `engine_crashed`, `too_large`).
 */
export async function changeJpeg(
  file: WorkFile,
  change: JpegChange,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<void> {
  const output = work.scratch(file.extension);
  const encoding = change.isProgressive ? "-progressive" : "-optimize";
  const args = ["-copy", "all", encoding, ...listOptions(change), "-outfile", output.name];
  const limits = {
    timeoutMs: work.limits.imageSeconds * 1000,
    memoryBytes,
    limitsAddressSpace: true,
    fileBytes: work.limits.resultBytes,
  };
  try {
    await runEngine({
      engine: "jpegtran",
      command: "jpegtran",
      args: [...args, file.name],
      ...work.view,
      signal,
      limits,
      // The pixels are decoded before without a warning. This one is of bytes between them and the end.
      successCodes: [0, warnedCode],
    });
  } catch (error) {
    throw translateJpegtranError(error);
  }
  await rename(output.path, file.path);
}

function listOptions({ pixels }: JpegChange): readonly string[] {
  if ("orientation" in pixels) return ["-perfect", ...(moves[pixels.orientation] ?? [])];
  const { left, top, width, height } = pixels;
  return ["-crop", `${width}x${height}+${left}+${top}`];
}

/** A decoder takes coefficients that no encoder may write. */
const damaged = /DCT coefficient out of range/;
const outOfMemory = /Insufficient memory/;

function translateJpegtranError(error: unknown): unknown {
  if (error instanceof EngineError && error.exitCode === 1) {
    if (outOfMemory.test(error.stderrTail)) return createJobFailure("out_of_memory", error);
    if (damaged.test(error.stderrTail)) {
      return new JobError("corrupt", "The image is damaged or incomplete.", { cause: error });
    }
  }
  return translateEngineError(error);
}
