import type { FramePixels } from "#lib/engines/image/frames.ts";
import { displayedSize, openImage, translateVipsErrors } from "#lib/engines/image/open.ts";
import { openFirstFrame } from "#lib/engines/image/upright.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { type FileLimits, limitError } from "#lib/limits/limits.ts";
import { readEach } from "../../shared/inputs/name-input.ts";

/** The share of the work that reading is, in percent. */
const readingShare = 60;

/**
 * The first frame of each file, upright, in sRGB with alpha, and in the size of the first file. Images
 * of another ratio are centered on transparent pixels. Throws `JobError`: `too_complex` if they have
 * too many pixels together, `corrupt`.
 */
export async function readFrames(
  files: readonly (WorkFile & { readonly filename?: string })[],
  limits: FileLimits,
  progress: (percent: number) => void,
): Promise<FramePixels> {
  const [first] = files;
  if (!first) throw new Error("an animation has no images");
  const { width, height } = displayedSize(await openImage(first, limits, { firstPage: true }));
  const length = width * height * 4;
  if (width * height * files.length > limits.imagePixels) {
    throw limitError("imagePixels", limits.imagePixels);
  }
  const samples = Buffer.alloc(length * files.length);
  await readEach(files, async (file, page) => {
    const source = await openImage(file, limits, { firstPage: true });
    const background = { r: 0, g: 0, b: 0, alpha: 0 };
    const fitted = (await openFirstFrame(source))
      .ensureAlpha()
      .resize({ width, height, fit: "contain", background });
    samples.set(await translateVipsErrors(fitted.raw().toBuffer()), page * length);
    progress((readingShare * (page + 1)) / files.length);
  });
  return { width, height, pages: files.length, channels: 4, samples };
}
