import type { VectorSize } from "../../image/vector-size.ts";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { callInWorker } from "../call.ts";
import type { ImageInfo } from "./image-info-schema.ts";
import * as functions from "./worker-functions.ts";

export type { ImageInfo } from "./image-info-schema.ts";

/** Reads the header of an image. Throws `JobError` if it is damaged or too large. */
export async function readImageInfo(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<ImageInfo> {
  const { result } = await callInWorker(functions.readHeader, {
    files: [file],
    work,
    signal,
  });
  return result;
}

/**
 * Draws an SVG file as a PNG with alpha, at its own size, or larger if `size` asks for it. Nothing
 * outside the file is read. Throws `JobError` if it is damaged or too large.
 */
export async function drawSvg(
  file: WorkFile,
  size: VectorSize,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const { outputs } = await callInWorker(functions.drawSvg, {
    files: [file],
    options: size,
    work,
    signal,
  });
  const [png] = outputs;
  if (!png) throw new Error("a worker returned no PNG");
  return png;
}

/**
 * Writes the first frame of an image as an upright 8-bit sRGB PNG with alpha. If `width` is given,
 * the frame is scaled to that width. Throws `JobError` if the image is damaged or too large.
 */
export async function normalizeToPng(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
  { width }: { width?: number } = {},
): Promise<{ file: WorkFile; width: number; height: number }> {
  const { outputs } = await callInWorker(functions.normalizeToPng, {
    files: [file],
    options: { width },
    work,
    signal,
  });
  const [png] = outputs;
  if (!png?.width || !png.height) throw new Error("a worker returned no PNG");
  return { file: png, width: png.width, height: png.height };
}
