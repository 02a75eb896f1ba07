import type { Gravity, ImagePlan } from "./plan.ts";
import { roundToEven, type Size } from "./size.ts";

/** Sizes and positions of a picture, rounded as imgproxy rounds them. Reads no pixels. */

export interface Geometry {
  /** The part of the source that is kept; `gravity` places it. */
  readonly crop: Size;
  /** The scale of the offsets of that part. */
  readonly cropScale: number;
  /** The size of that part after scaling. */
  readonly scaled: Size;
  /** The part of the scaled image that is kept; `plan.gravity` places it. */
  readonly result: Size;
  /** The picture with what it is extended by and its padding. */
  readonly canvas: Size;
  /** Where the result is on the canvas. */
  readonly offset: { readonly left: number; readonly top: number };
  /** The scale of offsets and paddings. */
  readonly dprScale: number;
}

/** Half away from zero. */
function round(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

const smallerNonZero = (one: number, other: number) =>
  one === 0 ? other : other === 0 ? one : Math.min(one, other);

/** A side of a crop: 0 is the whole side, below 1 a share of it. */
function cropSide(side: number, crop: number): number {
  if (crop === 0) return side;
  const wanted = crop >= 1 ? Math.trunc(crop) : Math.max(1, round(side * crop));
  return Math.min(wanted, side);
}

/** The geometry of a picture whose source, upright, rotated and trimmed, has this size. */
export function planGeometry(source: Size, plan: ImagePlan): Geometry {
  const crop = {
    width: cropSide(source.width, plan.crop.width),
    height: cropSide(source.height, plan.crop.height),
  };
  const { scaleX, scaleY, dprScale } = planScale(crop, plan);
  const target = {
    width: round(plan.width * dprScale * plan.zoomX),
    height: round(plan.height * dprScale * plan.zoomY),
  };
  const scaled = {
    width: Math.max(1, round(crop.width * scaleX)),
    height: Math.max(1, round(crop.height * scaleY)),
  };
  const wanted = planResultCrop(scaled, target, plan);
  const result = {
    width: Math.min(scaled.width, smallerNonZero(wanted.width, scaled.width)),
    height: Math.min(scaled.height, smallerNonZero(wanted.height, scaled.height)),
  };
  const { canvas, offset } = planCanvas(result, target, plan, dprScale);
  return { crop, cropScale: 1, scaled, result, canvas, offset, dprScale };
}

/** The same for a drawing, whose size has no limit. `scale`: of its own pixels to those of `source`. */
export function planVectorGeometry(source: Size, scale: Size, plan: ImagePlan): Geometry {
  const own = {
    width: Math.max(1, round(source.width / scale.width)),
    height: Math.max(1, round(source.height / scale.height)),
  };
  const geometry = planGeometry(own, { ...plan, enlarge: true });
  const side = (name: "width" | "height") =>
    geometry.crop[name] === own[name]
      ? source[name]
      : Math.min(Math.max(1, round(geometry.crop[name] * scale[name])), source[name]);
  const crop = { width: side("width"), height: side("height") };
  return { ...geometry, crop, cropScale: scale.width };
}

function planScale(source: Size, plan: ImagePlan) {
  let { shrinkX, shrinkY } = baseShrink(source, plan);
  shrinkX /= plan.zoomX;
  shrinkY /= plan.zoomY;
  let dprScale = plan.dpr;
  if (!plan.enlarge) {
    const smallest = Math.min(shrinkX, shrinkY);
    if (smallest < 1) {
      shrinkX /= smallest;
      shrinkY /= smallest;
      if (!plan.extend.enabled) dprScale /= smallest;
    }
    // Otherwise the density would enlarge the image.
    dprScale = Math.min(dprScale, shrinkX, shrinkY);
  }
  if (plan.minWidth > 0 && source.width / plan.minWidth < shrinkX) {
    shrinkY /= shrinkX / (source.width / plan.minWidth);
    shrinkX = source.width / plan.minWidth;
  }
  if (plan.minHeight > 0 && source.height / plan.minHeight < shrinkY) {
    shrinkX /= shrinkY / (source.height / plan.minHeight);
    shrinkY = source.height / plan.minHeight;
  }
  shrinkX = Math.min(shrinkX / dprScale, source.width);
  shrinkY = Math.min(shrinkY / dprScale, source.height);
  return { scaleX: 1 / shrinkX, scaleY: 1 / shrinkY, dprScale };
}

function baseShrink(source: Size, plan: ImagePlan): { shrinkX: number; shrinkY: number } {
  const wanted = {
    width: plan.width || source.width,
    height: plan.height || source.height,
  };
  const shrinkX = source.width / wanted.width;
  const shrinkY = source.height / wanted.height;
  if (shrinkX === 1 && shrinkY === 1) return { shrinkX, shrinkY };
  const resize = plan.resize === "auto" ? chooseResize(source, wanted) : plan.resize;
  if (resize === "force") return { shrinkX, shrinkY };
  if (plan.width === 0) return { shrinkX: shrinkY, shrinkY };
  if (plan.height === 0) return { shrinkX, shrinkY: shrinkX };
  const shrink = resize === "fit" ? Math.max(shrinkX, shrinkY) : Math.min(shrinkX, shrinkY);
  return { shrinkX: shrink, shrinkY: shrink };
}

/** `fill` if both are portraits or both are landscapes. */
function chooseResize(source: Size, wanted: Size): "fill" | "fit" {
  const isLandscape = ({ width, height }: Size) => width >= height;
  return isLandscape(source) === isLandscape(wanted) ? "fill" : "fit";
}

function planResultCrop(scaled: Size, target: Size, plan: ImagePlan): Size {
  if (plan.resize !== "fill-down" || plan.enlarge) return target;
  const ratioX = target.width / scaled.width;
  const ratioY = target.height / scaled.height;
  if (ratioX > ratioY && ratioX > 1) {
    return { width: scaled.width, height: round((scaled.width * target.height) / target.width) };
  }
  if (ratioY > ratioX && ratioY > 1) {
    return { width: round((scaled.height * target.width) / target.height), height: scaled.height };
  }
  return target;
}

function planCanvas(
  result: Size,
  target: Size,
  plan: ImagePlan,
  dprScale: number,
): Pick<Geometry, "canvas" | "offset"> {
  let canvas = result;
  let offset = { left: 0, top: 0 };
  const extendTo = (size: Size, gravity: Gravity) => {
    if (size.width <= canvas.width && size.height <= canvas.height) return;
    const larger = {
      width: Math.max(size.width || canvas.width, canvas.width),
      height: Math.max(size.height || canvas.height, canvas.height),
    };
    const { left, top } = placeInside(larger, canvas, gravity, dprScale);
    offset = { left: offset.left + left, top: offset.top + top };
    canvas = larger;
  };
  if (plan.extend.enabled) extendTo(target, plan.extend.gravity);
  if (plan.extendAspectRatio.enabled && target.width > 0 && target.height > 0) {
    extendTo(sizeOfRatio(canvas, target), plan.extendAspectRatio.gravity);
  }
  const pad = (side: number) => roundToEven(side * dprScale);
  const { top, right, bottom, left } = plan.padding;
  return {
    canvas: {
      width: canvas.width + pad(left) + pad(right),
      height: canvas.height + pad(top) + pad(bottom),
    },
    offset: { left: offset.left + pad(left), top: offset.top + pad(top) },
  };
}

/** The smallest size with the ratio of `target` that contains `size`. */
function sizeOfRatio(size: Size, target: Size): Size {
  const ratioX = target.width / size.width;
  const ratioY = target.height / size.height;
  if (ratioY > ratioX) {
    return { width: size.width, height: round((size.width * target.height) / target.width) };
  }
  return { width: round((size.height * target.width) / target.height), height: size.height };
}

/**
 * Where `inner` is in `outer`. With `mayOverflow`, only one pixel of it must be inside. `scale` is that
 * of offsets in pixels. A gravity `sm` is the center.
 */
export function placeInside(
  outer: Size,
  inner: Size,
  gravity: Gravity,
  scale: number,
  mayOverflow = false,
): { left: number; top: number } {
  const horizontal = placeSide(outer.width, inner.width, gravity.x, edgeOf(gravity, "x"), scale);
  const vertical = placeSide(outer.height, inner.height, gravity.y, edgeOf(gravity, "y"), scale);
  const limit = (value: number, out: number, size: number) =>
    mayOverflow
      ? Math.max(1 - size, Math.min(value, out - 1))
      : Math.max(0, Math.min(value, out - size));
  return {
    left: limit(horizontal, outer.width, inner.width) + 0,
    top: limit(vertical, outer.height, inner.height) + 0,
  };
}

type Edge = "start" | "middle" | "end" | "point";

function edgeOf({ type }: Gravity, axis: "x" | "y"): Edge {
  if (type === "fp") return "point";
  const [start, end] = axis === "x" ? ["we", "ea"] : ["no", "so"];
  if (type === "sm" || type === "ce") return "middle";
  if (type.includes(start as string)) return "start";
  return type.includes(end as string) ? "end" : "middle";
}

function placeSide(outer: number, inner: number, given: number, edge: Edge, scale: number): number {
  if (edge === "point") return roundToEven(outer * given) - Math.trunc(inner / 2);
  const offset = scaleOffset(given, outer, scale);
  if (edge === "start") return offset;
  if (edge === "end") return outer - inner - offset;
  return roundToEven((outer - inner + 1) / 2) + offset;
}

/** An offset in pixels: below 1 it is a share of the side, otherwise `scale` is that of its density. */
export function scaleOffset(offset: number, side: number, scale: number): number {
  return roundToEven(Math.abs(offset) >= 1 ? offset * scale : side * offset);
}
