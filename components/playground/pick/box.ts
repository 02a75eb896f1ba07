/** A rectangle in a picture, in its pixels from the top left corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What a drag moves: the whole box, or the edges in these compass directions. */
export type Grip = "move" | "n" | "ne" | "e" | "se" | "s" | "sw" | "w" | "nw";

export const edgeGrips = ["nw", "n", "ne", "e", "se", "s", "sw", "w"] as const;

/** The box after its grip is dragged by `by` pixels. It stays in the picture and has at least 1 × 1 pixel. */
export function dragBox(box: Box, grip: Grip, by: Point, size: Size): Box {
  if (grip === "move") {
    const left = clamp(Math.round(box.left + by.x), 0, size.width - box.width);
    const top = clamp(Math.round(box.top + by.y), 0, size.height - box.height);
    return { ...box, left, top };
  }
  const right = box.left + box.width;
  const bottom = box.top + box.height;
  const from = {
    x: box.left + (grip.includes("w") ? by.x : 0),
    y: box.top + (grip.startsWith("n") ? by.y : 0),
  };
  const to = {
    x: right + (grip.includes("e") ? by.x : 0),
    y: bottom + (grip.startsWith("s") ? by.y : 0),
  };
  return boxBetween(from, to, size);
}

/** The box with two opposite corners, which may be outside the picture. */
export function boxBetween(one: Point, other: Point, size: Size): Box {
  const [left, right] = span(one.x, other.x, size.width);
  const [top, bottom] = span(one.y, other.y, size.height);
  return { left, top, width: right - left, height: bottom - top };
}

/** Two positions in order, rounded, from 0 to `length` and at least 1 apart. */
function span(one: number, other: number, length: number): [number, number] {
  const from = clamp(Math.round(Math.min(one, other)), 0, length - 1);
  return [from, clamp(Math.round(Math.max(one, other)), from + 1, length)];
}

/** A box in the middle, with half the width and height of the picture. */
export function middleBox({ width, height }: Size): Box {
  const left = Math.floor(width / 4);
  const top = Math.floor(height / 4);
  return {
    left,
    top,
    width: Math.max(1, Math.round(width / 2)),
    height: Math.max(1, Math.round(height / 2)),
  };
}

/** What an arrow key does to a box: it moves it, or with Shift its right and bottom edges. Undefined for other keys. */
export function boxAfterKey(box: Box, key: string, shift: boolean, size: Size): Box | undefined {
  const direction = directions[key];
  if (!direction) return undefined;
  const step = Math.max(1, Math.round(Math.max(size.width, size.height) / 100));
  return dragBox(
    box,
    shift ? "se" : "move",
    { x: direction.x * step, y: direction.y * step },
    size,
  );
}

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), Math.max(min, max));
}

/** The boxes in a text such as `10,20,300,200`, also several, as JSON or separated by other characters. */
export function parseBoxes(text: string): Box[] {
  return [...text.matchAll(/(?<!\d)(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)/g)].map(
    ([, left, top, width, height]) => ({
      left: Number(left),
      top: Number(top),
      width: Number(width),
      height: Number(height),
    }),
  );
}

/** Formats a box as `10,20,300,200`. */
export function formatBox({ left, top, width, height }: Box): string {
  return [left, top, width, height].join();
}
