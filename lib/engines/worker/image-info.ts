import { z } from "zod";
import type { VectorSize } from "../image/vector-size.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { slotInputName } from "../warm/slot-folder.ts";
import { noResultSchema, runWorkerTask } from "./pool.ts";

const count = z.number().int().positive();

const imageInfoSchema = z.object({
  /** `jpeg png webp gif avif heic tiff svg`. */
  format: z.string().max(20),
  /** Pixels of one frame, before orientation. */
  width: count,
  height: count,
  /** The color space as libvips names it: `srgb b-w rgb16 grey16 cmyk lab …`. */
  space: z.string().max(20),
  channels: count,
  /** The type of a channel as libvips names it: `uchar` (8 bits), `ushort` (16), `float` … */
  depth: z.string().max(20),
  hasAlpha: z.boolean(),
  hasProfile: z.boolean(),
  /** Frames of an animation or pages of a TIFF. */
  pages: count,
  /** The value of the EXIF tag, normally 1 to 8. */
  orientation: z.number().int().optional(),
  /** Duration of each frame in milliseconds. */
  delay: z.array(z.number().int()).optional(),
  /** How often an animation plays; 0 is endless. */
  loop: z.number().int().optional(),
  /** Pixels per inch. */
  density: z.number().optional(),
});

export type ImageInfo = z.output<typeof imageInfoSchema>;

/** Reads the header of an image. Throws `JobError` if it is damaged or too large. */
export async function readImageInfo(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<ImageInfo> {
  const { result } = await runWorkerTask({
    task: "info",
    parameters: { file: slotInputName(file), limits: work.limits },
    inputs: [file],
    allocateOutput: (extension) => work.scratch(extension),
    resultSchema: imageInfoSchema,
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
  const { outputs } = await runWorkerTask({
    task: "svg",
    parameters: { file: slotInputName(file), size, limits: work.limits },
    inputs: [file],
    allocateOutput: (extension) => work.scratch(extension),
    resultSchema: noResultSchema,
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
  const { outputs } = await runWorkerTask({
    task: "png",
    parameters: { file: slotInputName(file), width, limits: work.limits },
    inputs: [file],
    allocateOutput: (extension) => work.scratch(extension),
    resultSchema: noResultSchema,
    signal,
  });
  const [png] = outputs;
  if (!png?.width || !png.height) throw new Error("a worker returned no PNG");
  return { file: png, width: png.width, height: png.height };
}
