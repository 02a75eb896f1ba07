import { readableSpace, readPixels, replacePixels } from "#lib/engines/image/frames.ts";
import {
  keepFileMetadata,
  loadSharp,
  optionsFor,
  type Sharp,
  type SourceImage,
} from "#lib/engines/image/open.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { widestLimits } from "#lib/limits/limits.ts";

/**
 * A pipeline that sharpens the L channel of CIELAB by an unsharp mask of `sigma` pixels. It keeps depth,
 * color space, profile, alpha and all frames. Runs in an image worker.
 */
export async function sharpenImage(
  source: SourceImage,
  sigma: number,
  work: WorkFolder,
): Promise<Sharp> {
  if (source.space === "cmyk") return sharpenCmyk(source, sigma, work);
  if (source.pages > 1) return sharpenFrames(source, sigma);
  return source.pipeline().sharpen({ sigma });
}

/** Converts to sRGB, which the mask needs, and back with the same profile. */
async function sharpenCmyk(source: SourceImage, sigma: number, work: WorkFolder): Promise<Sharp> {
  const sharp = await loadSharp();
  const opened = sharp(source.file.path, await optionsFor(source.file));
  const pipeline = keepFileMetadata(opened, source.metadata).sharpen({ sigma });
  const { icc } = source.metadata;
  if (!icc) return pipeline.withIccProfile("cmyk", { attach: false });
  const profile = work.scratch("icc");
  await writeNew(profile.path, icc);
  return pipeline.withIccProfile(profile.path);
}

/**
 * All frames are in one tall image. So that the mask of a frame does not reach into the next one, each
 * frame is extended at its top and bottom, and the sharpened rows replace the frame.
 */
async function sharpenFrames(source: SourceImage, sigma: number): Promise<Sharp> {
  const { width, height, pages } = source;
  const margin = maskRadius(sigma);
  // Very low frames would grow many times over. There, the mask may reach into the next frame.
  if (width * (height + 2 * margin) * pages > 2 * widestLimits.imagePixels)
    return source.pipeline().sharpen({ sigma });
  const extended = source
    .pipeline(readableSpace(source))
    .extend({ top: margin, bottom: margin, extendWith: "copy" })
    .sharpen({ sigma });
  const pixels = await readPixels(source, extended);
  const rowLength = width * pixels.channels;
  for (let page = 0; page < pages; page++) {
    const start = (page * (height + 2 * margin) + margin) * rowLength;
    pixels.samples.copyWithin(page * height * rowLength, start, start + height * rowLength);
  }
  const samples = pixels.samples.subarray(0, pages * height * rowLength);
  return replacePixels({ ...source, orientation: 1 }, { ...pixels, height, samples });
}

/** Pixels from the center of the mask to where its Gaussian is below 0.1, libvips' bound: σ·√(2·ln 10). */
function maskRadius(sigma: number): number {
  return Math.ceil(sigma * Math.sqrt(2 * Math.log(10))) + 1;
}
