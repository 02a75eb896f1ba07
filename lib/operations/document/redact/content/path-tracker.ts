import type { Corners } from "#lib/formats/pdf/structure/corners.ts";
import { boundsOf, type Matrix, transformPoint } from "#lib/formats/pdf/structure/matrix.ts";
import { numbersOf } from "./operands.ts";
import type { Operand } from "./tokenize.ts";

export interface DrawnPath {
  /** The bounds in the coordinates of the page. */
  readonly bounds: Corners;
  /** It has only rectangles and lines along the sides of the page. */
  readonly isSimple: boolean;
}

/** How far a line along a side may deviate, in points. */
const tolerance = 0.5;

/** Follows the path that the operators of a content stream construct. */
export class PathTracker {
  #points: [number, number][] = [];
  #isSimple = true;

  /** Ignores operators that construct no path. */
  apply(operator: string, operands: readonly Operand[], matrix: Matrix): void {
    const add = (...points: [number, number][]) => {
      this.#points.push(...points.map(([x, y]) => transformPoint(matrix, x, y)));
    };
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbersOf(operands);
    if (operator === "m") add([a, b]);
    if (operator === "re") add([a, b], [a + c, b + d]);
    if (operator === "l") {
      add([a, b]);
      if (!this.#endsStraight()) this.#isSimple = false;
    }
    if (operator === "c" || operator === "v" || operator === "y") {
      add([a, b], [c, d], ...(operator === "c" ? [[e, f] as [number, number]] : []));
      this.#isSimple = false;
    }
    if (operator === "n") this.end();
  }

  /** The path until now, and starts the next one; undefined if there is none. */
  end(): DrawnPath | undefined {
    const points = this.#points;
    const isSimple = this.#isSimple;
    this.#points = [];
    this.#isSimple = true;
    return points.length === 0 ? undefined : { bounds: boundsOf(points), isSimple };
  }

  /** Whether the last line is along a side. */
  #endsStraight(): boolean {
    const [before, after] = this.#points.slice(-2);
    if (!before || !after) return false;
    return Math.abs(before[0] - after[0]) < tolerance || Math.abs(before[1] - after[1]) < tolerance;
  }
}
