import { writeFile } from "node:fs/promises";
import {
  keepFileMetadata,
  loadSharp,
  optionsFor,
  type Sharp,
  type SourceImage,
  translateVipsErrors,
} from "#lib/engines/image/open.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
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
  await writeFile(profile.path, icc);
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
    .pipeline()
    .extend({ top: margin, bottom: margin, extendWith: "copy" })
    .sharpen({ sigma })
    .raw({ depth: source.depth });
  const { data, info } = await translateVipsErrors(extended.toBuffer({ resolveWithObject: true }));
  const rowBytes = data.length / (pages * (height + 2 * margin));
  for (let page = 0; page < pages; page++) {
    const start = (page * (height + 2 * margin) + margin) * rowBytes;
    data.copyWithin(page * height * rowBytes, start, start + height * rowBytes);
  }
  const frames = data.subarray(0, pages * height * rowBytes);
  const raw = { width, height: pages * height, channels: info.channels };
  const zeros = Array.from({ length: info.channels }, () => 0);
  // The metadata comes with the opened file, so its pixels are set to zero and replaced.
  return source.pipeline().linear(zeros, zeros).boolean(frames, "or", { raw });
}

/** Pixels from the center of the mask to where its Gaussian is below 0.1, libvips' bound: σ·√(2·ln 10). */
function maskRadius(sigma: number): number {
  return Math.ceil(sigma * Math.sqrt(2 * Math.log(10))) + 1;
}
