import type { ImagePlan } from "../plan/plan.ts";
import type { Size } from "../plan/size.ts";
import { placeCrop, planTransform } from "../plan/transform.ts";

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

/**
 * The operations in their order, with pixels of the picture at that time. What depends on the content is not part of
 * them: borders that are trimmed, and where the part that attracts attention is.
 */
export function describeOperations(source: DescribedSource, plan: ImagePlan): object {
  if (!plan.transform) throw new Error("only a thumbor URL has operations");
  const { box, crop, focus, result: target } = planTransform(source, plan.transform);
  const part = box ?? source;
  const placed = crop && placeCrop(part, crop, focus);
  const operations: Operation[] = [];
  for (const one of [box, placed]) {
    if (!one) continue;
    const { left, top, width, height } = one;
    operations.push({ type: "crop", left, top, right: left + width, bottom: top + height });
  }
  const { width, height } = placed ?? part;
  if (width !== target.width || height !== target.height) {
    operations.push({ type: "resize", ...target });
  }
  for (const filter of plan.filters) {
    if (filter.name !== "flip") continue;
    if (filter.horizontal) operations.push({ type: "flip_horizontally" });
    if (filter.vertical) operations.push({ type: "flip_vertically" });
  }
  const points = focus.map(({ weight: z, ...point }) => ({ ...point, z }));
  return { thumbor: { source, operations, target, focal_points: points } };
}
