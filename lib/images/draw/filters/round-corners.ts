import type { PixelFilter } from "../../plan/pixel-filters.ts";
import type { Samples } from "../pixels/samples.ts";

type RoundCorner = Extract<PixelFilter, { name: "round_corner" }>;

/** A row of the upper corners and its mirror, or a column of the left ones and its mirror. */
type Pair = readonly [number, number];

const { fround, sqrt, trunc } = Math;

/** How much of the color is left out at the inner end of a smoothed edge. */
const smoothing = 0.75;

/**
 * Cuts the corners off along ellipses, in place: the same pixels as thumbor, which computes with 32-bit floats.
 * Transparent corners need an alpha channel.
 */
export function roundCorners(samples: Samples, filter: RoundCorner): void {
  const { width, height } = samples;
  const radiusX = Math.min(filter.radiusX, trunc(width / 2));
  const radiusY = Math.min(filter.radiusY, trunc(height / 2));
  if (radiusX === 0 || radiusY === 0) return;
  const { cut, smooth } = createPainter(samples, filter);
  /** How far the ellipse is from its center. */
  const leftOf = (y: number) => -((radiusX * sqrt(radiusY * radiusY - y * y)) / radiusY);
  const heightOf = (x: number) => (radiusY * sqrt(radiusX * radiusX - x * x)) / radiusX;
  const mirror = (column: number): Pair => [column, width - column];
  for (let y = 0; y <= radiusY; y++) {
    const left = fround(leftOf(y));
    const end = trunc(fround(left + radiusX));
    const rows: Pair = [radiusY - y, height - radiusY + y - 1];
    for (let column = 0; column < end; column++) cut(rows, mirror(column));
    let count = 0;
    for (let x = trunc(fround(left - 1)); x >= -radiusX; x--) {
      if (trunc(fround(heightOf(x) + 1)) !== y) break;
      count++;
    }
    const first = trunc(fround(left - count));
    let x = first < -radiusX ? first + 1 : first;
    for (let step = 1; x < left; x++, step++) {
      smooth(step / count, { rows, columns: mirror(end) }, { rows, columns: mirror(x + radiusX) });
    }
  }
  for (let x = 0; x >= -radiusX; x--) {
    const above = fround(heightOf(x));
    let count = 0;
    for (let y = trunc(fround(above + 1)); y < radiusY; y++) {
      if (trunc(fround(leftOf(y) - 1)) !== x) break;
      count++;
    }
    const columns = mirror(x + radiusX);
    const edge: Pair = [
      trunc(fround(radiusY - above)),
      trunc(fround(fround(height - radiusY + above) - 1)),
    ];
    const last = trunc(fround(above + count));
    let y = last > radiusY ? last - 1 : last;
    for (let step = 1; y > above; y--, step++) {
      const rows: Pair = [radiusY - y, height - radiusY + y - 1];
      smooth(step / count, { rows: edge, columns }, { rows, columns });
    }
  }
}

interface Corners {
  readonly rows: Pair;
  readonly columns: Pair;
}

function createPainter({ data, width, channels }: Samples, { color, transparent }: RoundCorner) {
  const start = (row: number, column: number) => (row * width + column) * channels;
  const paint = (at: number) => {
    // The mirror of the outermost column is outside of the picture, too.
    if (at + channels > data.length) return;
    for (const [channel, value] of color.entries()) data[at + channel] = value;
    if (transparent) data[at + 3] = 0;
  };
  /** Paints a pixel of each corner. */
  const cut = (rows: Pair, [left, right]: Pair) => {
    for (const row of rows) paint(start(row, left));
    if (left === 0) return;
    for (const row of rows) paint(start(row, right));
  };
  /** Mixes the color at the edge of each corner into a pixel there. */
  const smooth = (position: number, from: Corners, to: Corners) => {
    const amount = fround(1 - fround(fround(position) * smoothing));
    const kept = fround(1 - amount);
    for (const side of [0, 1] as const) {
      for (const end of [0, 1] as const) {
        const source = start(from.rows[end], from.columns[side]);
        const target = start(to.rows[end], to.columns[side]);
        if (Math.max(source, target) + channels > data.length) continue;
        for (const [channel, value] of color.entries()) {
          const old = fround((data[source + channel] ?? 0) * kept);
          const added = transparent ? 0 : fround(value * amount);
          data[target + channel] = fround(old + added);
        }
      }
    }
  };
  return { cut, smooth };
}
