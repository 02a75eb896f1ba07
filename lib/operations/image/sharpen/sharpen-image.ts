import { writeFile } from "node:fs/promises";
import {
  keepOwnMetadata,
  loadSharp,
  optionsFor,
  orJobError,
  type Sharp,
  type SourceImage,
} from "#lib/engines/image/open.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { widestLimits } from "#lib/limits/limits.ts";

/**
 * A pipeline of `source`, sharpened in L of CIELAB by an unsharp mask of `sigma` pixels, inside an
 * image worker. Depth, colour space, profile, alpha and every frame stay.
 */
export async function sharpenImage(
  source: SourceImage,
  sigma: number,
  work: WorkFolder,
): Promise<Sharp> {
  if (source.space === "cmyk") return sharpenInk(source, sigma, work);
  if (source.pages > 1) return sharpenFrames(source, sigma);
  return source.pipeline().sharpen({ sigma });
}

/** By way of sRGB and back through the same profile: the mask itself knows no ink. */
async function sharpenInk(source: SourceImage, sigma: number, work: WorkFolder): Promise<Sharp> {
  const sharp = await loadSharp();
  const opened = sharp(source.file.path, await optionsFor(source.file));
  const pipeline = keepOwnMetadata(opened, source.metadata).sharpen({ sigma });
  const { icc } = source.metadata;
  if (!icc) return pipeline.withIccProfile("cmyk", { attach: false });
  const profile = work.scratch("icc");
  await writeFile(profile.path, icc);
  return pipeline.withIccProfile(profile.path);
}

/**
 * Frames lie one under the other and must not bleed into each other: each is extended above and
 * below by the mask's reach, and the result put in place of the frames.
 */
async function sharpenFrames(source: SourceImage, sigma: number): Promise<Sharp> {
  const { width, height, pages } = source;
  const margin = reach(sigma);
  // Frames lower than the mask is wide would grow without measure; there the bleeding is let be.
  if (width * (height + 2 * margin) * pages > 2 * widestLimits.imagePixels)
    return source.pipeline().sharpen({ sigma });
  const extended = source
    .pipeline()
    .extend({ top: margin, bottom: margin, extendWith: "copy" })
    .sharpen({ sigma })
    .raw({ depth: source.depth });
  const { data, info } = await orJobError(extended.toBuffer({ resolveWithObject: true }));
  const rowBytes = data.length / (pages * (height + 2 * margin));
  for (let page = 0; page < pages; page++) {
    const start = (page * (height + 2 * margin) + margin) * rowBytes;
    data.copyWithin(page * height * rowBytes, start, start + height * rowBytes);
  }
  const frames = data.subarray(0, pages * height * rowBytes);
  const raw = { width, height: pages * height, channels: info.channels };
  const zeros = Array.from({ length: info.channels }, () => 0);
  // All metadata hangs on the opened file, so its own pixels are cleared and the others set.
  return source.pipeline().linear(zeros, zeros).boolean(frames, "or", { raw });
}

/** Where a Gaussian falls below a tenth, at which libvips cuts its mask: σ·√(2·ln 10). */
function reach(sigma: number): number {
  return Math.ceil(sigma * Math.sqrt(2 * Math.log(10))) + 1;
}
