import type { FramePixels } from "#lib/engines/image/frames.ts";
import type { Sharp, SourceImage } from "#lib/engines/image/open.ts";
import {
  createSamples,
  readUpright,
  transformFrames,
  writeUpright,
} from "#lib/engines/image/upright.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { limitError } from "#lib/limits/limits.ts";
import type { Rgba } from "../../fields/index.ts";
import { canBeTransparent, hasHue, toColor, toImageColor } from "../../shared/image/image-color.ts";
import type { Canvas } from "./plan-canvas.ts";

interface Filling {
  /** A form of `parseColor`. By default transparent, or white without alpha. */
  readonly color?: string | undefined;
  /** The image itself, enlarged and blurred, instead of the color. */
  readonly blur: boolean;
}

/**
 * A pipeline of `source`, upright and on `canvas`, with all frames and its metadata. A gray image without a
 * profile becomes RGB for a border in color. Throws `JobError`: `too_complex` if the canvas has too many pixels.
 */
export async function padImage(
  source: SourceImage,
  canvas: Canvas,
  { color, blur }: Filling,
  work: WorkFolder,
): Promise<Sharp> {
  const { pages, space, metadata } = source;
  const { imagePixels } = work.limits;
  if (canvas.width * canvas.height * pages > imagePixels) {
    throw limitError("imagePixels", imagePixels);
  }
  const filling = await toImageColor(source, color, work);
  if (space === "cmyk" && pages === 1 && !blur) return extendCmyk(source, canvas, filling);
  const alpha = canBeTransparent(source) && (metadata.hasAlpha || (!blur && filling.alpha < 1));
  const pixels = await readUpright(source, { alpha });
  const border = blur
    ? await blurFrames(source, pixels, canvas)
    : fillFrames(pixels, canvas, filling);
  const written = !blur && hasHue(filling) ? toColor(source) : source;
  return writeUpright(written, placeFrames(border, pixels, canvas), work);
}

/** Extends an image in CMYK without a conversion to RGB. */
function extendCmyk(source: SourceImage, canvas: Canvas, filling: Rgba): Sharp {
  const upright = source.pipeline().autoOrient();
  const size =
    source.orientation >= 5 ? [source.height, source.width] : [source.width, source.height];
  const { left, top } = canvas;
  const [width = 0, height = 0] = size;
  const { red: r, green: g, blue: b } = filling;
  return upright.extend({
    left,
    top,
    right: canvas.width - left - width,
    bottom: canvas.height - top - height,
    background: { r, g, b, alpha: 1 },
  });
}

/** Makes frames of one color. */
function fillFrames(
  { samples: like, channels, pages }: FramePixels,
  { width, height }: Canvas,
  { red, green, blue, alpha }: Rgba,
): FramePixels {
  const samples = createSamples(like, width * height * pages * channels);
  const scale = like instanceof Uint16Array ? 257 : 1;
  const color = [red, green, blue, Math.round(alpha * 255)].slice(0, channels);
  samples.set(color.map((value) => value * scale));
  for (let filled = channels; filled < samples.length; filled *= 2) {
    samples.copyWithin(filled, 0, Math.min(filled, samples.length - filled));
  }
  return { width, height, pages, channels, samples };
}

/** The longest side of the image that is blurred and then enlarged, in pixels, and its blur. */
const blurredSide = 240;
const blurSigma = 8;

/** The frames, enlarged until they fill the canvas, and blurred. */
async function blurFrames(
  source: SourceImage,
  pixels: FramePixels,
  { width, height }: Canvas,
): Promise<FramePixels> {
  const scale = Math.min(1, blurredSide / Math.max(width, height));
  const small = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  const blurred = await transformFrames(source, pixels, (frame) =>
    frame.resize({ ...small, fit: "cover" }).blur(blurSigma),
  );
  return transformFrames(source, blurred, (frame) =>
    frame.resize({ width, height, fit: "fill", kernel: "cubic" }),
  );
}

/** Returns `border` with each frame of `pixels` in its place. */
function placeFrames(border: FramePixels, pixels: FramePixels, { left, top }: Canvas): FramePixels {
  const { width, height, channels, samples } = border;
  const rowLength = pixels.width * channels;
  for (let row = 0; row < pixels.pages * pixels.height; row++) {
    const page = Math.floor(row / pixels.height);
    const y = page * height + top + (row % pixels.height);
    const from = pixels.samples.subarray(row * rowLength, (row + 1) * rowLength);
    samples.set(from, (y * width + left) * channels);
  }
  return border;
}
