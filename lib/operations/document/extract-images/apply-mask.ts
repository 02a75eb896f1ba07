import { inputOptions, loadSharp, translateVipsErrors } from "#lib/engines/image/open.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";

export interface MaskOptions {
  /** Whether black is opaque, instead of white. */
  readonly isInverted: boolean;
}

/** Worker function: writes the image with its mask, whose size may differ, as alpha. */
export const applyMask = async ({ files, options, work }: WorkerCall<MaskOptions>) => {
  const [image, mask] = files;
  if (!image || !mask) throw new Error("an image and a mask are needed");
  const sharp = await loadSharp();
  const base = sharp(image.path, inputOptions).toColourspace("srgb").removeAlpha();
  const pixels = await translateVipsErrors(base.raw().toBuffer({ resolveWithObject: true }));
  const { width, height, channels } = pixels.info;
  const alpha = sharp(mask.path, inputOptions).toColourspace("b-w").extractChannel(0);
  if (options.isInverted) alpha.negate();
  alpha.resize(width, height, { fit: "fill" });
  const raw = { width, height, channels: 1 } as const;
  const output = work.output("png");
  const joined = sharp(pixels.data, { raw: { width, height, channels } }).joinChannel(
    await translateVipsErrors(alpha.raw().toBuffer()),
    { raw },
  );
  await translateVipsErrors(joined.png().toFile(output.path));
  return { outputs: [{ ...output, width, height }] };
};
