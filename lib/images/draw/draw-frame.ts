import { loadSharp, translateVipsErrors } from "#lib/engines/image/open.ts";
import { type Geometry, placeInside, planGeometry, planVectorGeometry } from "../plan/geometry.ts";
import { centerGravity, type Gravity, type ImagePlan, type Trim } from "../plan/plan.ts";
import { type Box, type Size, swapSides } from "../plan/size.ts";
import { extend, white } from "./extend.ts";
import { type Canvas, extract, requireDrawable, settle } from "./pixels/canvas.ts";
import { pixelate } from "./pixels/pixelate.ts";
import { findTrim } from "./trim.ts";
import { createWatermark } from "./watermark.ts";

/** Draws one frame, in a worker. */

export interface DrawSettings {
  readonly plan: ImagePlan;
  /** Whether transparent pixels become those of the background. */
  readonly flattens: boolean;
  /** Whether pixels of the source may be transparent. */
  readonly hasAlpha: boolean;
  /** Whether the format of the picture has no transparency. */
  readonly lacksAlpha: boolean;
  /** The paths of the watermarks' images. */
  readonly watermarks: readonly string[];
  /** The own size of a drawing. */
  readonly vector: Size | undefined;
}

/**
 * A picture made of `source`, which is upright. sharp has a fixed order of steps in one pipeline, so
 * pixels are computed in between where imgproxy has another order.
 */
export async function drawFrame(source: Canvas, settings: DrawSettings): Promise<Canvas> {
  const { plan } = settings;
  let canvas = await turn(source, plan);
  if (plan.trim) canvas = await trim(await settle(canvas), plan.trim);
  const geometry = settings.vector
    ? planVectorGeometry(canvas, scaleOf(source, settings.vector, plan), plan)
    : planGeometry(canvas, plan);
  requireDrawable(geometry.scaled);
  requireDrawable(geometry.canvas);
  if (settings.flattens) {
    const background = plan.background ?? white;
    canvas = { ...canvas, image: canvas.image.flatten({ background }) };
  }
  canvas = await scale(canvas, geometry, plan);
  canvas = await filter(canvas, plan);
  canvas = await extend(canvas, geometry, settings);
  const [path] = settings.watermarks;
  const watermark =
    path && plan.watermark
      ? await createWatermark(path, plan.watermark, canvas, geometry.dprScale)
      : undefined;
  if (!watermark) return canvas;
  const image = canvas.image.composite([watermark]);
  // Transparency is added for the composition.
  return hasTransparency(geometry, settings)
    ? { ...canvas, image }
    : { ...canvas, image: image.removeAlpha() };
}

/** How many times as large as its own size a drawing is, after its turn. */
function scaleOf(drawn: Size, own: Size, { rotate }: ImagePlan): Size {
  const scale = { width: drawn.width / own.width, height: drawn.height / own.height };
  return rotate % 180 === 0 ? scale : swapSides(scale);
}

function hasTransparency({ result, canvas }: Geometry, settings: DrawSettings): boolean {
  const isExtended = result.width < canvas.width || result.height < canvas.height;
  return !settings.flattens && (settings.hasAlpha || isExtended);
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

async function trim(canvas: Canvas, wanted: Trim): Promise<Canvas> {
  const box = await findTrim(canvas, wanted);
  return box ? extract(canvas, box) : canvas;
}

async function scale(canvas: Canvas, geometry: Geometry, plan: ImagePlan): Promise<Canvas> {
  const { crop, cropScale, scaled, result } = geometry;
  let current = canvas;
  if (crop.width < canvas.width || crop.height < canvas.height) {
    const gravity = plan.crop.gravity ?? plan.gravity;
    if (gravity.type === "sm") current = await settle(canvas);
    const placed = await place(current, canvas, crop, gravity, cropScale);
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

/** Where the part of this size is. `scale` is that of offsets. */
async function place(
  canvas: Canvas,
  outer: Size,
  inner: Size,
  gravity: Gravity,
  scale: number,
): Promise<Box> {
  const resolved = gravity.type === "sm" ? await findAttention(canvas, inner) : gravity;
  return { ...placeInside(outer, inner, resolved, scale), ...inner };
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
  const { blur, sharpen } = plan;
  // sharp's smallest deviation is 0.3, which hardly changes a picture.
  if (blur > 0) image = image.blur(Math.max(0.3, blur));
  if (sharpen > 0) image = image.sharpen({ sigma: Math.max(0.000_001, sharpen) });
  const filtered = { ...canvas, image };
  return plan.pixelate > 1 ? pixelate(filtered, plan.pixelate) : filtered;
}
