import { type Matrix, transformBox } from "#lib/formats/pdf/structure/matrix.ts";
import type { Box } from "./page.ts";

/** The first six of `numbers`. */
export function toMatrix([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[]): Matrix {
  return [a, b, c, d, e, f];
}

/** The box around the corners of a rectangle, on a page whose origin is at the top left. */
export function boxOf(matrix: Matrix, x1: number, y1: number, x2: number, y2: number): Box {
  const [left, top, right, bottom] = transformBox(matrix, [x1, y1, x2, y2]);
  return { left, top, right, bottom };
}
