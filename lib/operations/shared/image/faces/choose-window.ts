import type { Box } from "./box.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The top left corner of a window of `size` in a frame that is not smaller, such that the faces that
 * are completely in it have the largest area in total. They are in its middle, as far as the frame
 * allows. If none fits, the largest is in the middle. At least one face is required.
 */
export function chooseWindow(
  faces: readonly Box[],
  frame: Size,
  size: Size,
): { left: number; top: number } {
  const heads = faces.map((face) => withHair(face, frame));
  let best: readonly Box[] = [];
  for (const left of edges(heads, "left", "width", size.width)) {
    for (const top of edges(heads, "top", "height", size.height)) {
      const covered = heads.filter((head) => contains({ left, top, ...size }, head));
      if (totalArea(covered) > totalArea(best)) best = covered;
    }
  }
  const [largest] = heads.toSorted((one, other) => area(other) - area(one));
  const shown = best.length > 0 ? best : largest ? [largest] : [];
  const left = middle(shown, "left", "width") - size.width / 2;
  const top = middle(shown, "top", "height") - size.height / 2;
  return {
    left: Math.round(Math.min(Math.max(0, left), frame.width - size.width)),
    top: Math.round(Math.min(Math.max(0, top), frame.height - size.height)),
  };
}

/** The detector's boxes end at the forehead and the chin; a third of their height is added above. */
function withHair({ left, top, width, height }: Box, frame: Size): Box {
  const start = Math.max(0, left - width / 8);
  const end = Math.min(frame.width, left + width * 1.125);
  const upper = Math.max(0, top - height / 3);
  const lower = Math.min(frame.height, top + height * 1.1);
  return { left: start, top: upper, width: end - start, height: lower - upper };
}

type Edge = "left" | "top";
type Side = "width" | "height";

/** Where a window of `length` could start: at the start of each box, or so that it ends with one. */
function edges(boxes: readonly Box[], edge: Edge, side: Side, length: number): number[] {
  return boxes.flatMap((box) => [box[edge], box[edge] + box[side] - length]);
}

/** Whether `inner` is in `outer`, with a tolerance for rounded coordinates. */
function contains(outer: Box, inner: Box): boolean {
  const within = (edge: Edge, side: Side) =>
    inner[edge] >= outer[edge] - 0.5 &&
    inner[edge] + inner[side] <= outer[edge] + outer[side] + 0.5;
  return within("left", "width") && within("top", "height");
}

function middle(boxes: readonly Box[], edge: Edge, side: Side): number {
  const start = Math.min(...boxes.map((box) => box[edge]));
  const end = Math.max(...boxes.map((box) => box[edge] + box[side]));
  return (start + end) / 2;
}

function area({ width, height }: Box): number {
  return width * height;
}

function totalArea(boxes: readonly Box[]): number {
  return boxes.reduce((sum, box) => sum + area(box), 0);
}
