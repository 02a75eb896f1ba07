import type { Corners } from "./corners.ts";

/** A transformation of PDF (ISO 32000-1, 8.3.3): `x' = ax + cy + e`, `y' = bx + dy + f`. */
export type Matrix = readonly [number, number, number, number, number, number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the matrix that applies first `left`, then `right`. */
export function multiply(left: Matrix, right: Matrix): Matrix {
  const [a, b, c, d, e, f] = left;
  const [g, h, i, j, k, l] = right;
  return [
    a * g + b * i,
    a * h + b * j,
    c * g + d * i,
    c * h + d * j,
    e * g + f * i + k,
    e * h + f * j + l,
  ];
}

export function invert([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const determinant = a * d - b * c;
  if (!Number.isFinite(1 / determinant)) return undefined;
  const g = d / determinant;
  const h = -b / determinant;
  const i = -c / determinant;
  const j = a / determinant;
  return [g, h, i, j, -(e * g + f * i), -(e * h + f * j)];
}

export function transformPoint([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** The smallest upright rectangle around a transformed one. */
export function transformBox(matrix: Matrix, [x0, y0, x1, y1]: Corners): Corners {
  const points = [
    transformPoint(matrix, x0, y0),
    transformPoint(matrix, x1, y0),
    transformPoint(matrix, x0, y1),
    transformPoint(matrix, x1, y1),
  ];
  return boundsOf(points);
}

export function boundsOf(points: readonly (readonly [number, number])[]): Corners {
  let x0 = Number.POSITIVE_INFINITY;
  let y0 = Number.POSITIVE_INFINITY;
  let x1 = Number.NEGATIVE_INFINITY;
  let y1 = Number.NEGATIVE_INFINITY;
  for (const [x, y] of points) {
    x0 = Math.min(x0, x);
    y0 = Math.min(y0, y);
    x1 = Math.max(x1, x);
    y1 = Math.max(y1, y);
  }
  return [x0, y0, x1, y1];
}

export const contains = ([x0, y0, x1, y1]: Corners, x: number, y: number) =>
  x >= x0 && x <= x1 && y >= y0 && y <= y1;

export const overlaps = (a: Corners, b: Corners) =>
  a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

export const isInside = (inner: Corners, outer: Corners) =>
  inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];
