import { z } from "zod";

export const positions = [
  "top-left",
  "top",
  "top-right",
  "left",
  "center",
  "right",
  "bottom-left",
  "bottom",
  "bottom-right",
] as const;

export type Position = (typeof positions)[number];

/** Distance from an overlay to the edge of the frame, as a share of the frame's shorter side. */
export const marginShare = 0.03;

/** One of nine positions in a frame. */
export function position(initial: Position) {
  return z
    .enum(positions)
    .default(initial)
    .meta({ description: "Position in the frame.", control: "position" });
}

/** One of nine positions that may be left out; `description` says what is used then. */
export function optionalPosition(description: string) {
  return z.enum(positions).optional().meta({ description, control: "position" });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Pixels from the top left corner of `frame` to that of `box`, which may also be the larger one; then
 * they are negative. `margin` is kept free at the edges of the frame, or less if there is no room.
 */
export function offsetIn(frame: Size, box: Size, position: Position, margin = 0) {
  const along = (near: boolean, far: boolean, space: number) => {
    const gap = Math.min(margin, Math.max(0, Math.floor(space / 2)));
    return near ? gap : far ? space - gap : Math.floor(space / 2);
  };
  const upper = position.startsWith("top");
  const lower = position.startsWith("bottom");
  const leftmost = position.endsWith("left");
  const rightmost = position.endsWith("right");
  return {
    left: along(leftmost, rightmost, frame.width - box.width),
    top: along(upper, lower, frame.height - box.height),
  };
}

/** A position as shares of the room: 0 left or top, 0.5 in the middle, 1 right or bottom. */
export function anchorOf(position: Position): { across: number; down: number } {
  const along = (near: boolean, far: boolean) => (near ? 0 : far ? 1 : 0.5);
  return {
    across: along(position.endsWith("left"), position.endsWith("right")),
    down: along(position.startsWith("top"), position.startsWith("bottom")),
  };
}
