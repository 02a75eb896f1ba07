import type { Size } from "./geometry.ts";
import type { ImagePlan } from "./plan.ts";

interface Corners {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The plan for a source of this size: the side that is the longer one, and the center of its focal points. */
export function adaptToSource(plan: ImagePlan, source: Size): ImagePlan {
  const box = clampBox(plan.box, source);
  const size = { width: box.right - box.left, height: box.bottom - box.top };
  return focus(turn(plan, size), box, size);
}

function turn(plan: ImagePlan, source: Size): ImagePlan {
  const orientation = ({ width, height }: Size) => Math.sign(width - height);
  const isTurned = orientation(plan) * orientation(source) === -1;
  if (!plan.isAdaptive || !isTurned) return plan;
  return { ...plan, width: plan.height, height: plan.width };
}

/** As with thumbor, points outside of the box that is cut out do not count. */
function focus(plan: ImagePlan, box: Corners, { width, height }: Size): ImagePlan {
  const points = plan.focalPoints.filter(
    ({ x, y }) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom,
  );
  const weightOf = (point: Size) => point.width * point.height;
  const weight = points.reduce((sum, point) => sum + weightOf(point), 0);
  if (weight === 0 || width <= 0 || height <= 0) return plan;
  const average = (axis: "x" | "y", start: number) =>
    Math.floor(
      points.reduce((sum, point) => sum + (point[axis] - start) * weightOf(point), 0) / weight,
    );
  const x = average("x", box.left) / width;
  const y = average("y", box.top) / height;
  return { ...plan, gravity: { type: "fp", x, y } };
}

function clampBox(box: ImagePlan["box"], { width, height }: Size): Corners {
  if (!box) return { left: 0, top: 0, right: width, bottom: height };
  return {
    left: Math.min(box.left, width),
    top: Math.min(box.top, height),
    right: Math.min(box.right, width),
    bottom: Math.min(box.bottom, height),
  };
}
