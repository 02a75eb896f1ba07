import type { Box } from "./page.ts";

/** A transformation of PDF (ISO 32000-1, 8.3.3): `x' = ax + cy + e`, `y' = bx + dy + f`. */
export type Matrix = readonly [number, number, number, number, number, number];

/** The first six of `numbers`. */
export function toMatrix([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[]): Matrix {
  return [a, b, c, d, e, f];
}

/** Applies `second` first, then `first`. */
export function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [g, h, i, j, k, l] = second;
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}

/** The box around the corners of a rectangle. */
export function transformBox(matrix: Matrix, x1: number, y1: number, x2: number, y2: number): Box {
  const [a, b, c, d, e, f] = matrix;
  const [left, right] = [a * x1 + c * y1 + e, a * x2 + c * y2 + e].toSorted((m, n) => m - n);
  const [top, bottom] = [b * x1 + d * y1 + f, b * x2 + d * y2 + f].toSorted((m, n) => m - n);
  return { left: left ?? 0, right: right ?? 0, top: top ?? 0, bottom: bottom ?? 0 };
}
