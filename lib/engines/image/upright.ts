import { writeNew } from "#lib/files/regular-files.ts";
import { transformOf } from "#lib/media/transform.ts";
import type { WorkFolder } from "../sandbox/work-folder.ts";
import { type FramePixels, readableSpace, readPixels, replacePixels } from "./frames.ts";
import { loadSharp, optionsFor, type Sharp, type SourceImage } from "./open.ts";
import { orientFrames } from "./orient-frames.ts";

/** Changes of images as they are displayed: after their EXIF orientation, and frame by frame. */

type Samples = FramePixels["samples"];

/**
 * A pipeline of `source`, upright, in which each frame is changed by `change`. Single images keep
 * their color space; the frames of others are RGB. `change` must give all frames one size.
 */
export async function transformUpright(
  source: SourceImage,
  change: (frame: Sharp) => Sharp,
  work: WorkFolder,
): Promise<Sharp> {
  if (source.pages === 1) return change(source.pipeline().autoOrient());
  const pixels = await readUpright(source);
  return writeUpright(source, await transformFrames(source, pixels, change), work);
}

/** The frames, each changed by `change`, so that no frame shows in the next one. */
export async function transformFrames(
  { depth }: SourceImage,
  pixels: FramePixels,
  change: (frame: Sharp) => Sharp,
): Promise<FramePixels> {
  const sharp = await loadSharp();
  const { width, height, channels, pages } = pixels;
  const changed: FramePixels[] = [];
  for (let page = 0; page < pages; page++) {
    // sharp's types have only bytes; it detects the depth of raw pixels by the type of the array.
    const samples = frameSamples(pixels, page) as Buffer;
    const frame = sharp(samples, { raw: { width, height, channels } });
    const native = frame.toColorspace(depth === "ushort" ? "rgb16" : "srgb");
    changed.push(await readPixels({ pages: 1, depth }, change(native)));
  }
  return joinFrames(changed);
}

/** The samples of one frame, as a view. */
export function frameSamples(
  { width, height, channels, samples }: FramePixels,
  page: number,
): Samples {
  const length = width * height * channels;
  return samples.subarray(page * length, (page + 1) * length);
}

/** Single frames of one size, one below the other. */
function joinFrames(frames: readonly FramePixels[]): FramePixels {
  const [first] = frames;
  if (!first) throw new Error("an image has no frames");
  const samples = createSamples(first.samples, first.samples.length * frames.length);
  for (const [page, frame] of frames.entries()) {
    samples.set(frame.samples, page * first.samples.length);
  }
  return { ...first, pages: frames.length, samples };
}

/** Creates `length` zeros, of the depth of `like`. */
export function createSamples(like: Samples, length: number): Samples {
  return like instanceof Uint16Array ? new Uint16Array(length) : Buffer.alloc(length);
}

/**
 * The pixels of all frames, upright, as RGB, or as RGBA if the image has transparency or `alpha` is
 * set. Pixels of CMYK images are converted to sRGB.
 */
export async function readUpright(
  source: SourceImage,
  { alpha = false } = {},
): Promise<FramePixels> {
  const opened = source.pipeline(source.space === "cmyk" ? "srgb" : readableSpace(source));
  const pixels = await readPixels(source, alpha ? opened.ensureAlpha() : opened);
  return source.orientation === 1 ? pixels : orientFrames(pixels, transformOf(source.orientation));
}

/**
 * A pipeline of `source` with the pixels that `readUpright` has read, after changes; their size may
 * differ too. RGB is converted to the color space of the source.
 */
export async function writeUpright(
  source: SourceImage,
  pixels: FramePixels,
  work: WorkFolder,
): Promise<Sharp> {
  if (source.space !== "cmyk") return replacePixels(source, pixels);
  const replaced = replacePixels({ ...source, space: "srgb" }, pixels);
  const { icc } = source.metadata;
  if (!icc) return replaced.withIccProfile("cmyk", { attach: false });
  const profile = work.scratch("icc");
  await writeNew(profile.path, icc);
  return replaced.withIccProfile(profile.path);
}

/** The first frame, upright, converted to sRGB with 8 bits, without metadata. */
export async function openFirstFrame(source: SourceImage): Promise<Sharp> {
  const sharp = await loadSharp();
  const { file, metadata, space } = source;
  const opened = sharp(file.path, await optionsFor(file))
    .autoOrient()
    .toColorspace("srgb");
  // Without a profile, sharp would take 16 bits per channel for Display P3.
  const hasSpace = metadata.icc !== undefined || space === "cmyk";
  return hasSpace ? opened.withIccProfile("srgb", { attach: false }) : opened;
}
