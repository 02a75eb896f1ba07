import { writeFile } from "node:fs/promises";
import {
  loadSharp,
  type NativeSpace,
  type Sharp,
  type SourceImage,
  translateVipsErrors,
} from "#lib/engines/image/open.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { limitError } from "#lib/limits/limits.ts";
import { parseColor, type Rgba } from "../../fields/index.ts";
import { type Frame, rotatedSize, rotateFrame } from "./rotate-frame.ts";

export interface Rotation {
  /** Degrees clockwise, after the EXIF orientation. */
  readonly angle: number;
  /** `#rrggbb` or another form of `parseColor`. By default transparent, or white without alpha. */
  readonly background?: string | undefined;
}

/** Per EXIF orientation: whether the pixels are mirrored horizontally, then the degrees to rotate. */
const orientations = [
  { mirrored: false, degrees: 0 },
  { mirrored: true, degrees: 0 },
  { mirrored: false, degrees: 180 },
  { mirrored: true, degrees: 180 },
  { mirrored: true, degrees: 90 },
  { mirrored: false, degrees: 90 },
  { mirrored: true, degrees: 270 },
  { mirrored: false, degrees: 270 },
] as const;

/**
 * A pipeline of `source`, upright and rotated, with its metadata and the EXIF orientation 1. Right
 * angles only move pixels. Other angles enlarge the canvas. Throws `JobError`: `too_complex` if the
 * canvas would have too many pixels, `unsupported_type` for several pages in CMYK.
 */
export async function rotateImage(
  source: SourceImage,
  { angle, background }: Rotation,
  work: WorkFolder,
): Promise<Sharp> {
  const { metadata, pages, space, depth } = source;
  const { mirrored, degrees } = orientations[source.orientation - 1] ?? orientations[0];
  const turn = { mirrored, degrees: angle + degrees };
  const size = rotatedSize(source, turn.degrees);
  const { imagePixels } = work.limits;
  if (size.width * size.height * pages > imagePixels) throw limitError("imagePixels", imagePixels);
  const isOpaque = metadata.format === "jpeg" || space === "cmyk";
  const color = await toImageColor(source, background, isOpaque, work);
  const hasCorners = angle % 90 !== 0;
  const needsAlpha = !isOpaque && (metadata.hasAlpha || (hasCorners && color.alpha < 1));
  if (pages === 1 && (!hasCorners || (!needsAlpha && depth === "uchar"))) {
    const { red: r, green: g, blue: b } = color;
    return source.pipeline().autoOrient().rotate(angle, { background: { r, g, b } });
  }
  if (space === "cmyk") {
    throw new JobError("unsupported_type", "CMYK images with several pages cannot be rotated.");
  }
  // sharp rotates no animations. It mixes the color of transparent pixels into edges, and its
  // backgrounds of 16 bits are not fully opaque.
  const frames = await readFrames(source, needsAlpha);
  const rotated = frames.map((frame) => rotateFrame(frame, turn, color));
  return replacePixels(source, rotated);
}

/** The background in the image's own RGB color space; without alpha if the image can have none. */
async function toImageColor(
  { metadata: { icc }, space }: SourceImage,
  background: string | undefined,
  isOpaque: boolean,
  work: WorkFolder,
): Promise<Rgba> {
  const color = parseColor(background ?? (isOpaque ? "#ffffff" : "#ffffff00"));
  const alpha = isOpaque ? 1 : color.alpha;
  if (!icc || !(space === "srgb" || space === "rgb16")) return { ...color, alpha };
  const profile = work.scratch("icc");
  await writeFile(profile.path, icc);
  const sharp = await loadSharp();
  const { red: r, green: g, blue: b } = color;
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: { r, g, b } } });
  const converted = pixel.withIccProfile(profile.path).raw().toBuffer();
  const [red = 0, green = 0, blue = 0] = await translateVipsErrors(converted);
  return { red, green, blue, alpha };
}

/** sharp reads the raw pixels of a gray image without their alpha. */
function readableSpace(space: NativeSpace): NativeSpace {
  return space === "b-w" ? "srgb" : space === "grey16" ? "rgb16" : space;
}

/** The stored pixels of each frame as RGB, or as RGBA if `hasAlpha`. */
async function readFrames(source: SourceImage, hasAlpha: boolean): Promise<Frame[]> {
  const { width, height, pages, depth } = source;
  const opened = source.pipeline(readableSpace(source.space));
  const pipeline = hasAlpha ? opened.ensureAlpha() : opened.removeAlpha();
  const bytes = await translateVipsErrors(pipeline.raw({ depth }).toBuffer());
  // A copy starts at an even address, as 16-bit numbers must.
  const samples = depth === "ushort" ? new Uint16Array(Uint8Array.from(bytes).buffer) : bytes;
  const length = width * height * (hasAlpha ? 4 : 3);
  return Array.from({ length: pages }, (_, page) => ({
    ...{ width, height, hasAlpha },
    samples: samples.subarray(page * length, (page + 1) * length),
  }));
}

/** A pipeline of `source` with other frames, whose size may differ, but with the same metadata. */
function replacePixels(source: SourceImage, frames: readonly Frame[]): Sharp {
  const [{ width, height, hasAlpha, samples } = emptyFrame] = frames;
  const channels = hasAlpha ? 4 : 3;
  const all =
    samples instanceof Uint16Array
      ? new Uint16Array(samples.length * frames.length)
      : Buffer.alloc(samples.length * frames.length);
  for (const [page, frame] of frames.entries()) all.set(frame.samples, page * samples.length);
  const sized = source
    .pipeline(readableSpace(source.space))
    .resize({ width, height, fit: "fill", kernel: "nearest" });
  if (hasAlpha && !source.metadata.hasAlpha) sized.unflatten(); // adds the channel
  const zeros = Array.from({ length: channels }, () => 0);
  const raw = { width, height: height * frames.length, channels } as const;
  // The metadata comes with the opened file, so its pixels are set to zero and replaced. sharp's types
  // have only bytes; it detects the depth of raw pixels by the type of the array.
  const replaced = sized.linear(zeros, zeros).boolean(all as Buffer, "or", { raw });
  if (source.orientation !== 1) resetOrientation(replaced);
  return replaced.toColourspace(source.space);
}

const emptyFrame: Frame = { width: 0, height: 0, hasAlpha: false, samples: Buffer.alloc(0) };

/** sharp's own method, `withMetadata`, would also convert the colors to sRGB. */
function resetOrientation(image: Sharp): void {
  const { options } = image as Sharp & { options: { withMetadataOrientation: number } };
  options.withMetadataOrientation = 1;
}
