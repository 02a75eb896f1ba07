import { z } from "zod";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { slotName } from "../warm/slot.ts";
import { runImageTask } from "./pool.ts";

const count = z.number().int().positive();

const imageInfo = z.object({
  /** `jpeg png webp gif avif heic tiff svg`. */
  format: z.string().max(20),
  /** Pixels of one frame, before orientation. */
  width: count,
  height: count,
  /** libvips' name of the colour space: `srgb b-w rgb16 grey16 cmyk lab …`. */
  space: z.string().max(20),
  channels: count,
  /** libvips' name of a channel's type: `uchar` (8 bits), `ushort` (16), `float` … */
  depth: z.string().max(20),
  hasAlpha: z.boolean(),
  hasProfile: z.boolean(),
  /** Frames of an animation or pages of a TIFF. */
  pages: count,
  /** The EXIF tag as it stands, normally 1 to 8. */
  orientation: z.number().int().optional(),
  /** Milliseconds each frame is shown. */
  delay: z.array(z.number().int()).optional(),
  /** How often an animation plays; 0 is for ever. */
  loop: z.number().int().optional(),
  /** Pixels an inch. */
  density: z.number().optional(),
});

export type ImageInfo = z.output<typeof imageInfo>;

/** What the header of an image says. Throws `JobError` where it is damaged or too large. */
export async function readImageInfo(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<ImageInfo> {
  const { result } = await runImageTask({
    task: "info",
    parameters: { file: slotName(file), caps: work.limits },
    inputs: [file],
    mint: (extension) => work.scratch(extension),
    signal,
  });
  return imageInfo.parse(result);
}

/**
 * Writes an image's first frame as an upright 8-bit sRGB PNG with alpha, `width` pixels wide where
 * that is given and else as large as it is. Throws `JobError` where it is damaged or too large.
 */
export async function normalizeToPng(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
  { width }: { width?: number } = {},
): Promise<{ file: WorkFile; width: number; height: number }> {
  const { outputs } = await runImageTask({
    task: "png",
    parameters: { file: slotName(file), width, caps: work.limits },
    inputs: [file],
    mint: (extension) => work.scratch(extension),
    signal,
  });
  const [png] = outputs;
  if (!png?.width || !png.height) throw new Error("an image worker wrote no picture");
  return { file: png, width: png.width, height: png.height };
}
