/** One of the eight rotations and reflections that only move the pixels of an image. */
export interface Transform {
  /** Whether the stored columns become rows. */
  readonly swapsAxes: boolean;
  /** Whether the order of the stored columns, or rows, is reversed. */
  readonly reversesColumns: boolean;
  readonly reversesRows: boolean;
}

const swapping: ReadonlySet<number> = new Set([5, 6, 7, 8]);
const reversingColumns: ReadonlySet<number> = new Set([2, 3, 7, 8]);
const reversingRows: ReadonlySet<number> = new Set([3, 4, 6, 7]);

/** What makes an image of this EXIF orientation, 1 to 8, upright. */
export function transformOf(orientation: number): Transform {
  return {
    swapsAxes: swapping.has(orientation),
    reversesColumns: reversingColumns.has(orientation),
    reversesRows: reversingRows.has(orientation),
  };
}

/** The EXIF orientation, 1 to 8, of an image that `transform` makes upright. */
export function orientationOf({ swapsAxes, reversesColumns, reversesRows }: Transform): number {
  const isUndone = (orientation: number) => {
    const one = transformOf(orientation);
    return one.reversesColumns === reversesColumns && one.reversesRows === reversesRows;
  };
  const candidates = swapsAxes ? [5, 6, 7, 8] : [1, 2, 3, 4];
  return candidates.find(isUndone) ?? 1;
}

/** A reflection that swaps left and right, or top and bottom. */
export function flipOf(direction: "horizontal" | "vertical"): Transform {
  return transformOf(direction === "horizontal" ? 2 : 4);
}

/** A rotation clockwise by `angle` degrees, which must be a multiple of 90. */
export function rotationOf(angle: number): Transform {
  const quarters = (((angle / 90) % 4) + 4) % 4;
  return transformOf([1, 6, 3, 8][quarters] ?? 1);
}

/** Returns the transform that applies `first`, and then `second`. */
export function combine(first: Transform, second: Transform): Transform {
  const { reversesColumns, reversesRows } = second;
  const [columns, rows] = first.swapsAxes
    ? [reversesRows, reversesColumns]
    : [reversesColumns, reversesRows];
  return {
    swapsAxes: first.swapsAxes !== second.swapsAxes,
    reversesColumns: first.reversesColumns !== columns,
    reversesRows: first.reversesRows !== rows,
  };
}

/** The same as a reflection that swaps left and right, if `mirrored`, and then a rotation clockwise. */
export function turnOf({ swapsAxes, reversesColumns, reversesRows }: Transform) {
  const reversals = [swapsAxes, reversesColumns, reversesRows].filter(Boolean).length;
  const mirrored = reversals % 2 === 1;
  if (!swapsAxes) return { mirrored, degrees: reversesRows ? 180 : 0 };
  return { mirrored, degrees: reversesRows ? 90 : 270 };
}
