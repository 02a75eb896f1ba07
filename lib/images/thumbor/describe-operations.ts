import { adaptToSource } from "../plan/adapt-to-source.ts";
import { planGeometry, roundToEven, type Size } from "../plan/geometry.ts";
import type { Gravity, ImagePlan } from "../plan/plan.ts";

/** What thumbor's `meta` endpoint says of a picture, without drawing it. */

export interface DescribedSource extends Size {
  readonly url: string;
  readonly frameCount: number;
}

type Operation =
  | { type: "crop"; left: number; top: number; right: number; bottom: number }
  | { type: "resize"; width: number; height: number }
  | { type: "flip_horizontally" }
  | { type: "flip_vertically" };

interface Focus {
  readonly x: number;
  readonly y: number;
  /** The weight. */
  readonly z: number;
  readonly height: number;
  readonly width: number;
  readonly origin: "alignment" | "Explicit";
}

/**
 * The operations in their order, with pixels of the picture at that time. What depends on the content is not part of
 * them: borders that are trimmed, and where the part that attracts attention is.
 */
export function describeOperations(source: DescribedSource, given: ImagePlan): object {
  const plan = adaptToSource(given, source);
  const operations: Operation[] = [];
  let size: Size = { width: source.width, height: source.height };
  const { box } = plan;
  if (box) {
    const right = Math.min(box.right, size.width);
    const bottom = Math.min(box.bottom, size.height);
    const left = Math.min(box.left, size.width);
    const top = Math.min(box.top, size.height);
    if (left < right && top < bottom) {
      operations.push({ type: "crop", left, top, right, bottom });
      size = { width: right - left, height: bottom - top };
    }
  }
  const points = describeFocus(given, plan.gravity, size);
  const target = planGeometry(size, plan).result;
  if (plan.resize === "fill" && !plan.keepsWhole) {
    const crop = planCrop(size, target, points);
    if (crop) {
      operations.push({ type: "crop", ...crop });
      size = { width: crop.right - crop.left, height: crop.bottom - crop.top };
    }
  }
  if (size.width !== target.width || size.height !== target.height) {
    operations.push({ type: "resize", ...target });
  }
  for (const filter of plan.filters) {
    if (filter.name !== "flip") continue;
    if (filter.horizontal) operations.push({ type: "flip_horizontally" });
    if (filter.vertical) operations.push({ type: "flip_vertically" });
  }
  return { thumbor: { source, operations, target, focal_points: points } };
}

/** The part that is resized, as thumbor rounds it. Undefined if the ratios are the same but for 1 %. */
function planCrop(source: Size, target: Size, points: readonly Focus[]) {
  const ratio = ({ width, height }: Size) => roundToEven((width / height) * 100);
  if (ratio(source) === ratio(target)) return undefined;
  const isWide = target.width / source.width > target.height / source.height;
  const width = isWide ? source.width : Math.ceil((target.width * source.height) / target.height);
  const height = isWide
    ? roundToEven((source.width * target.height) / target.width)
    : source.height;
  const total = points.reduce((sum, { z }) => sum + z, 0);
  const center = (axis: "x" | "y") =>
    Math.floor(points.reduce((sum, point) => sum + point[axis] * point.z, 0) / total);
  const place = (middle: number, length: number, whole: number) =>
    roundToEven(Math.min(Math.max(middle - length / 2, 0), whole - length));
  const left = place(center("x"), width, source.width);
  const top = place(center("y"), height, source.height);
  return {
    left,
    top,
    right: Math.min(left + width, source.width),
    bottom: Math.min(top + height, source.height),
  };
}

/** The focal points in the box that is cut out, or that of the alignment. */
function describeFocus(plan: ImagePlan, gravity: Gravity, { width, height }: Size): Focus[] {
  if (gravity.type === "fp") {
    const { left = 0, top = 0, right = Infinity, bottom = Infinity } = plan.box ?? {};
    return plan.focalPoints
      .filter(({ x, y }) => x >= left && x <= right && y >= top && y <= bottom)
      .map((point) => ({
        x: point.x - left,
        y: point.y - top,
        z: point.width * point.height,
        height: point.height,
        width: point.width,
        origin: "Explicit",
      }));
  }
  const share = (start: string, end: string) => {
    if (gravity.type === "sm" || gravity.type === "ce") return 0.5;
    if (gravity.type.includes(start)) return 0;
    return gravity.type.includes(end) ? 1 : 0.5;
  };
  const x = Math.trunc(width * share("we", "ea"));
  const y = Math.trunc(height * share("no", "so"));
  return [{ x, y, z: 1, height: 1, width: 1, origin: "alignment" }];
}
