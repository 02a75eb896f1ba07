import { loadSharp, translateVipsErrors } from "#lib/engines/image/open.ts";
import { JobError } from "#lib/errors.ts";
import { type Box, type Geometry, placeInside, planGeometry, type Size } from "../plan/geometry.ts";
import { centerGravity, type Gravity, type ImagePlan } from "../plan/plan.ts";
import { type Canvas, settle } from "./canvas.ts";
import { maxPixels } from "./open-source.ts";
import { pixelate } from "./pixelate.ts";
import { findTrim } from "./trim.ts";
import { createWatermark } from "./watermark.ts";

/** Draws one frame, in a worker. */

export interface DrawSettings {
  readonly plan: ImagePlan;
  /** Whether transparent pixels become those of the background. */
  readonly flattens: boolean;
  /** Whether pixels of the source may be transparent. */
  readonly hasAlpha: boolean;
  /** The path of the watermark's image. */
  readonly watermark: string | undefined;
}

const white = { r: 255, g: 255, b: 255 };
const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

/**
 * A picture made of `source`, which is upright. sharp has a fixed order of steps in one pipeline, so
 * pixels are computed in between where imgproxy has another order.
 */
export async function drawFrame(source: Canvas, settings: DrawSettings): Promise<Canvas> {
  const { plan } = settings;
  let canvas = await turn(source, plan);
  if (plan.trim) canvas = await cut(await settle(canvas), (pixels) => findTrim(pixels, plan.trim));
  if (plan.box) canvas = await cutBox(canvas, plan);
  const geometry = planGeometry(canvas, plan);
  requireDrawable(geometry);
  const background = plan.background ?? white;
  if (settings.flattens) canvas = { ...canvas, image: canvas.image.flatten({ background }) };
  canvas = await scale(canvas, geometry, plan);
  canvas = await filter(canvas, plan);
  canvas = await extend(canvas, geometry, settings);
  const watermark =
    settings.watermark && plan.watermark
      ? await createWatermark(settings.watermark, plan.watermark, canvas, geometry.dprScale)
      : undefined;
  if (!watermark) return canvas;
  const image = canvas.image.composite([watermark]);
  // Transparency is added for the composition.
  return hasTransparency(geometry, settings)
    ? { ...canvas, image }
    : { ...canvas, image: image.removeAlpha() };
}

function hasTransparency({ result, canvas }: Geometry, settings: DrawSettings): boolean {
  const isExtended = result.width < canvas.width || result.height < canvas.height;
  return !settings.flattens && (settings.hasAlpha || isExtended);
}

function requireDrawable({ scaled, canvas }: Geometry): void {
  for (const { width, height } of [scaled, canvas]) {
    if (width * height > maxPixels) {
      throw new JobError("too_complex", "The picture would have too many pixels.");
    }
  }
}

async function turn(canvas: Canvas, { rotate, flipX, flipY }: ImagePlan): Promise<Canvas> {
  if (rotate === 0 && !flipX && !flipY) return canvas;
  let turned = canvas;
  // sharp would turn before it reads the orientation.
  if (rotate !== 0) {
    const settled = await settle(canvas);
    const isSwapped = rotate % 180 !== 0;
    turned = {
      image: settled.image.rotate(rotate),
      width: isSwapped ? settled.height : settled.width,
      height: isSwapped ? settled.width : settled.height,
    };
  }
  turned = await settle(turned);
  return { ...turned, image: turned.image.flop(flipX).flip(flipY) };
}

async function cut(canvas: Canvas, find: (canvas: Canvas) => Promise<Box | undefined>) {
  const box = await find(canvas);
  return box ? extract(canvas, box) : canvas;
}

function extract(canvas: Canvas, { left, top, width, height }: Box): Canvas {
  if (width === canvas.width && height === canvas.height) return canvas;
  return { image: canvas.image.extract({ left, top, width, height }), width, height };
}

/** The part between two corners. Corners outside of the image are moved to its edges. */
function cutBox(canvas: Canvas, { box }: ImagePlan): Promise<Canvas> {
  if (!box) return Promise.resolve(canvas);
  const left = Math.min(box.left, canvas.width - 1);
  const top = Math.min(box.top, canvas.height - 1);
  const width = Math.min(box.right, canvas.width) - left;
  const height = Math.min(box.bottom, canvas.height) - top;
  if (width <= 0 || height <= 0) return Promise.resolve(canvas);
  return settle(extract(canvas, { left, top, width, height }));
}

async function scale(canvas: Canvas, geometry: Geometry, plan: ImagePlan): Promise<Canvas> {
  const { crop, scaled, result } = geometry;
  let current = canvas;
  if (crop.width < canvas.width || crop.height < canvas.height) {
    const gravity = plan.crop.gravity ?? plan.gravity;
    if (gravity.type === "sm") current = await settle(canvas);
    const placed = await place(current, canvas, crop, gravity, 1);
    current = extract(current, placed);
  }
  const isCropped = result.width < scaled.width || result.height < scaled.height;
  if (isCropped && plan.gravity.type === "sm") {
    const sharp = await loadSharp();
    const position = sharp.strategy.attention;
    return {
      image: current.image.resize({ ...result, fit: "cover", position }),
      ...result,
    };
  }
  if (scaled.width !== current.width || scaled.height !== current.height) {
    current = { image: current.image.resize({ ...scaled, fit: "fill" }), ...scaled };
  } else if (current !== canvas && isCropped) {
    // sharp has one cut before the resizing and one after it.
    current = await settle(current);
  }
  if (!isCropped) return current;
  return extract(current, await place(current, scaled, result, plan.gravity, geometry.dprScale));
}

/** Where the part of this size is. */
async function place(
  canvas: Canvas,
  outer: Size,
  inner: Size,
  gravity: Gravity,
  dprScale: number,
): Promise<Box> {
  const resolved = gravity.type === "sm" ? await findAttention(canvas, inner) : gravity;
  return { ...placeInside(outer, inner, resolved, dprScale), ...inner };
}

/** The point that attracts attention. */
async function findAttention(canvas: Canvas, inner: Size): Promise<Gravity> {
  const sharp = await loadSharp();
  const side = 256 / Math.max(inner.width, inner.height);
  const size = {
    width: Math.max(1, Math.round(inner.width * Math.min(1, side))),
    height: Math.max(1, Math.round(inner.height * Math.min(1, side))),
  };
  const probe = canvas.image
    .clone()
    .resize({ ...size, fit: "cover", position: sharp.strategy.attention })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { info } = await translateVipsErrors(probe);
  const factor = Math.max(size.width / canvas.width, size.height / canvas.height);
  const center = (offset: number | undefined, length: number, whole: number) =>
    Math.min(1, Math.max(0, (length / 2 - (offset ?? 0)) / (whole * factor)));
  if (info.cropOffsetLeft === undefined && info.cropOffsetTop === undefined) return centerGravity;
  return {
    type: "fp",
    x: center(info.cropOffsetLeft, size.width, canvas.width),
    y: center(info.cropOffsetTop, size.height, canvas.height),
  };
}

async function filter(canvas: Canvas, plan: ImagePlan): Promise<Canvas> {
  let { image } = canvas;
  const { blur, sharpen, colors } = plan;
  // sharp's smallest deviation is 0.3, which hardly changes a picture.
  if (blur > 0) image = image.blur(Math.max(0.3, blur));
  if (sharpen > 0) image = image.sharpen({ sigma: Math.max(0.000_001, sharpen) });
  if (colors) {
    const { brightness, contrast, saturation, grayscale } = colors;
    if (saturation !== 1) image = image.modulate({ saturation });
    if (brightness !== 0 || contrast !== 0) {
      const factor = (100 + contrast) / 100;
      image = image.linear(factor, 128 * (1 - factor) + brightness * 2.55);
    }
    if (grayscale) image = image.modulate({ saturation: 0 });
  }
  const filtered = { ...canvas, image };
  return plan.pixelate > 1 ? pixelate(filtered, plan.pixelate) : filtered;
}

async function extend(
  canvas: Canvas,
  geometry: Geometry,
  { plan, flattens }: DrawSettings,
): Promise<Canvas> {
  const { width, height } = geometry.canvas;
  if (width === canvas.width && height === canvas.height) return canvas;
  const { left, top } = geometry.offset;
  // sharp extends before it filters.
  const isFiltered = plan.blur > 0 || plan.sharpen > 0 || plan.colors !== null;
  const { image } = isFiltered ? await settle(canvas) : canvas;
  const background = flattens ? { ...(plan.background ?? white), alpha: 1 } : transparent;
  const extended = (flattens ? image : image.ensureAlpha()).extend({
    left,
    top,
    right: width - canvas.width - left,
    bottom: height - canvas.height - top,
    background,
  });
  return { image: extended, width, height };
}
