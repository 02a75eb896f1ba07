import { writeApng } from "#lib/engines/image/formats/write-apng.ts";
import { writeAvifSequence } from "#lib/engines/image/formats/write-avif-sequence.ts";
import type { FramePixels } from "#lib/engines/image/frames.ts";
import { loadSharp, translateVipsErrors } from "#lib/engines/image/open.ts";
import type { SavedImage } from "#lib/engines/image/save.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";

export const animationFormats = ["webp", "gif", "avif", "apng"] as const;

export type AnimationFormat = (typeof animationFormats)[number];

const quality = 85;

/** Writes frames in RGBA with 8 bits, each of which is shown for `delayMs`; a `loop` of 0 is forever. */
export async function writeAnimation(
  frames: FramePixels,
  format: AnimationFormat,
  { delayMs, loop }: { readonly delayMs: number; readonly loop: number },
  output: WorkFile,
): Promise<SavedImage> {
  const { width, height, pages, samples } = frames;
  const timing = { delay: Array.from({ length: pages }, () => delayMs), loop };
  if (format === "apng") return writeApng(frames, timing, output);
  if (format === "avif") return writeAvifSequence(frames, timing, output);
  const sharp = await loadSharp();
  const raw = { width, height: height * pages, channels: 4, pageHeight: height } as const;
  // Samples of 8 bits.
  const joined = sharp(samples as Uint8Array, { raw });
  const encoded =
    format === "gif"
      ? joined.gif({ ...timing, reuse: false, keepDuplicateFrames: true })
      : joined.webp({ ...timing, quality });
  await translateVipsErrors(encoded.toFile(output.path));
  return { ...output, width, height };
}
