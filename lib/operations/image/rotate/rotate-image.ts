import {
  type FramePixels,
  readableSpace,
  readPixels,
  replacePixels,
} from "#lib/engines/image/frames.ts";
import type { Sharp, SourceImage } from "#lib/engines/image/open.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { limitError } from "#lib/limits/limits.ts";
import { transformOf, turnOf } from "#lib/media/transform.ts";
import { canBeTransparent, hasHue, toColor, toImageColor } from "../../shared/image/image-color.ts";
import { type Frame, rotatedSize, rotateFrame } from "../../shared/image/rotate-frame.ts";

export interface Rotation {
  /** The angle in degrees clockwise, after the EXIF orientation. */
  readonly angle: number;
  /**
   * The background as `#rrggbb` or another form of `parseColor`. It is transparent by default, or
   * white without alpha.
   */
  readonly background?: string | undefined;
}

/**
 * A pipeline of `source`, upright and rotated, with its metadata and the EXIF orientation 1. Right
 * angles only move pixels. Other angles enlarge the canvas, and a gray image without a profile becomes RGB
 * for a background in color. Throws `JobError`: `too_complex` if the canvas would have too many pixels,
 * `unsupported_type` for several pages in CMYK.
 */
export async function rotateImage(
  source: SourceImage,
  { angle, background }: Rotation,
  work: WorkFolder,
): Promise<Sharp> {
  const { metadata, pages, space, depth } = source;
  const { mirrored, degrees } = turnOf(transformOf(source.orientation));
  const turn = { mirrored, degrees: angle + degrees };
  const size = rotatedSize(source, turn.degrees);
  const { imagePixels } = work.limits;
  if (size.width * size.height * pages > imagePixels) throw limitError("imagePixels", imagePixels);
  const isOpaque = !canBeTransparent(source);
  const color = await toImageColor(source, background, work);
  const hasCorners = angle % 90 !== 0;
  const written = hasCorners && hasHue(color) ? toColor(source) : source;
  const needsAlpha = !isOpaque && (metadata.hasAlpha || (hasCorners && color.alpha < 1));
  if (pages === 1 && (!hasCorners || (!needsAlpha && depth === "uchar"))) {
    const { red: r, green: g, blue: b } = color;
    return source.pipeline(written.space).autoOrient().rotate(angle, { background: { r, g, b } });
  }
  if (space === "cmyk") {
    throw new JobError("unsupported_type", "CMYK images with several pages cannot be rotated.");
  }
  // sharp rotates no animations. It mixes the color of transparent pixels into edges, and its
  // backgrounds of 16 bits are not fully opaque.
  const frames = await readFrames(source, needsAlpha);
  const rotated = frames.map((frame) => rotateFrame(frame, turn, color));
  return replacePixels(written, joinFrames(rotated));
}

/** The stored pixels of each frame as RGB, or as RGBA if `hasAlpha`. */
async function readFrames(source: SourceImage, hasAlpha: boolean): Promise<Frame[]> {
  const opened = source.pipeline(readableSpace(source));
  const pipeline = hasAlpha ? opened.ensureAlpha() : opened.removeAlpha();
  const { width, height, pages, channels, samples } = await readPixels(source, pipeline);
  const length = width * height * channels;
  return Array.from({ length: pages }, (_, page) => ({
    width,
    height,
    hasAlpha,
    samples: samples.subarray(page * length, (page + 1) * length),
  }));
}

/** The frames, which have one size, one below the other. */
function joinFrames(frames: readonly Frame[]): FramePixels {
  const [{ width, height, hasAlpha, samples } = emptyFrame] = frames;
  const joined =
    samples instanceof Uint16Array
      ? new Uint16Array(samples.length * frames.length)
      : Buffer.alloc(samples.length * frames.length);
  for (const [page, frame] of frames.entries()) joined.set(frame.samples, page * samples.length);
  return { width, height, pages: frames.length, channels: hasAlpha ? 4 : 3, samples: joined };
}

const emptyFrame: Frame = { width: 0, height: 0, hasAlpha: false, samples: Buffer.alloc(0) };
