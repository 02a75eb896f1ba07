import type { CurvePoint, PixelFilter } from "../../plan/pixel-filters.ts";
import type { Samples } from "../pixels/samples.ts";
import { randomNumbers } from "./random.ts";

/**
 * thumbor's filters of colors, with its arithmetic of integers and 32-bit floats, on samples with three or four
 * channels. They change the samples in place.
 */

type ColorFilter = Extract<
  PixelFilter,
  {
    name:
      | "brightness"
      | "contrast"
      | "rgb"
      | "saturation"
      | "grayscale"
      | "equalize"
      | "colorize"
      | "noise"
      | "curve";
  }
>;

type Rgb = readonly [number, number, number];

export function changeColors(samples: Samples, filter: ColorFilter): void {
  const tables = tablesOf(filter);
  if (tables) applyTables(samples, tables);
  else if (filter.name === "equalize") equalize(samples);
  else if (filter.name === "noise") addNoise(samples, filter.amount, filter.seed);
  else if (filter.name === "saturation") changePixels(samples, saturate(filter.factor));
  else changePixels(samples, toLuma);
}

/** The new values of red, green and blue. Undefined if they depend on more than the old one. */
function tablesOf(filter: ColorFilter): Uint8Array[] | undefined {
  switch (filter.name) {
    case "brightness":
      return sameTable(shift(filter.value));
    case "contrast":
      return sameTable(contrast(filter.value));
    case "rgb":
      return filter.values.map((value) => makeTable(shift(value)));
    case "colorize":
      return filter.percents.map((percent, channel) => {
        const added = (filter.color[channel] ?? 0) * percent;
        return makeTable((value) => Math.trunc((value * (100 - percent) + added) / 100));
      });
    case "curve": {
      const all = curveTable(filter.all);
      return filter.channels.map((points) => curveTable(points).map((value) => all[value] ?? 0));
    }
    default:
      return undefined;
  }
}

/** The luma of ITU-R BT.601, as Pillow computes it. */
function toLuma(red: number, green: number, blue: number): Rgb {
  const luma = (red * 19_595 + green * 38_470 + blue * 7471 + 0x8000) >> 16;
  return [luma, luma, luma];
}

const limit = (value: number) => Math.max(0, Math.min(255, value));

const shift = (percent: number) => {
  const delta = Math.trunc((255 * percent) / 100);
  return (value: number) => value + delta;
};

function contrast(percent: number) {
  const factor = Math.trunc(((percent + 100) * (percent + 100)) / 100);
  return (value: number) => Math.trunc((factor * (value - 128)) / 100) + 128;
}

const { fround } = Math;

/** See http://alienryderflex.com/saturation.html. */
function saturate(factor: number) {
  const change = fround(factor);
  return (red: number, green: number, blue: number): Rgb => {
    const brightness = fround(
      Math.sqrt(red * red * 0.299 + green * green * 0.587 + blue * blue * 0.114),
    );
    const move = (value: number) =>
      Math.trunc(fround(brightness + fround(fround(value - brightness) * change)));
    return [move(red), move(green), move(blue)];
  };
}

function makeTable(change: (value: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, value) => limit(change(value)));
}

function sameTable(change: (value: number) => number): Uint8Array[] {
  const table = makeTable(change);
  return [table, table, table];
}

/** Replaces each value of a color by that in the table of its channel. */
function applyTables({ data, channels }: Samples, tables: readonly (Uint8Array | undefined)[]) {
  const [red = identity, green = identity, blue = identity] = tables;
  for (let at = 0; at < data.length; at += channels) {
    data[at] = red[data[at] ?? 0] ?? 0;
    data[at + 1] = green[data[at + 1] ?? 0] ?? 0;
    data[at + 2] = blue[data[at + 2] ?? 0] ?? 0;
  }
}

const identity = makeTable((value) => value);

function changePixels(
  { data, channels }: Samples,
  change: (red: number, green: number, blue: number) => Rgb,
): void {
  for (let at = 0; at < data.length; at += channels) {
    const [red, green, blue] = change(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
    data[at] = limit(red);
    data[at + 1] = limit(green);
    data[at + 2] = limit(blue);
  }
}

/** Adds the same random number to the colors of a pixel, as glibc computes it. */
function addNoise({ data, channels }: Samples, amount: number, seed: number): void {
  if (amount === 0) return;
  const next = randomNumbers(seed || 1);
  const half = Math.trunc(amount / 2);
  for (let at = 0; at < data.length; at += channels) {
    const noise = (next() % amount) - half;
    for (let channel = at; channel < at + 3; channel++) {
      data[channel] = limit((data[channel] ?? 0) + noise);
    }
  }
}

/** Histogram equalization. thumbor has the smallest count of the first color found only; those of the others are 0. */
function equalize(samples: Samples): void {
  const { data, width, height, channels } = samples;
  const counts = [0, 1, 2].map((channel) => cumulate(data, channel, channels));
  let smallest = [0, 0, 0];
  for (let value = 0; value < 256 && smallest.every((count) => count === 0); value++) {
    smallest = counts.map((count) => count[value] ?? 0);
  }
  const area = width * height;
  const tables = counts.map((count, channel) => {
    const least = smallest[channel] ?? 0;
    // Where nothing is left to spread, thumbor divides by 0, and the value becomes 0.
    return Uint8Array.from(count, (own) =>
      Math.trunc(fround(fround(fround(own - least) / fround(area - least)) * 255)),
    );
  });
  applyTables(samples, tables);
}

/** How many pixels have at most this value, for each value that a pixel has; 0 for all others. */
function cumulate(data: Buffer, channel: number, channels: number): number[] {
  const counts = new Array<number>(256).fill(0);
  for (let at = channel; at < data.length; at += channels) {
    const value = data[at] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
  let sum = 0;
  return counts.map((count) => {
    sum += count;
    return count > 0 ? sum : 0;
  });
}

/** A natural cubic spline through the points. */
function curveTable(points: readonly CurvePoint[]): Uint8Array {
  const [first = [0, 0]] = points;
  const last = points.at(-1) ?? first;
  const table = new Uint8Array(256).fill(first[1]);
  const bends = secondDerivatives(points);
  for (const [index, [x, y]] of points.slice(0, -1).entries()) {
    const [nextX, nextY] = points[index + 1] ?? last;
    const length = nextX - x;
    for (let at = x; at < nextX; at++) {
      const b = (at - x) / length;
      const a = 1 - b;
      const bend =
        (a * a * a - a) * (bends[index] ?? 0) + (b * b * b - b) * (bends[index + 1] ?? 0);
      const value = a * y + b * nextY + ((length * length) / 6) * bend;
      table[at] = limit(Math.round(value));
    }
  }
  return table.fill(last[1], last[0]);
}

/** Solves the tridiagonal system of the spline; the curve is straight at its ends. */
function secondDerivatives(points: readonly CurvePoint[]): number[] {
  const count = points.length;
  const rows = points.map((): [number, number, number] => [0, 1, 0]);
  const result = points.map(() => 0);
  for (let i = 1; i < count - 1; i++) {
    const [[x0, y0], [x1, y1], [x2, y2]] = [at(points, i - 1), at(points, i), at(points, i + 1)];
    rows[i] = [(x1 - x0) / 6, (x2 - x0) / 3, (x2 - x1) / 6];
    result[i] = (y2 - y1) / (x2 - x1) - (y1 - y0) / (x1 - x0);
  }
  for (let i = 1; i < count; i++) {
    const [row, above] = [at(rows, i), at(rows, i - 1)];
    const factor = row[0] / above[1];
    row[1] -= factor * above[2];
    result[i] = at(result, i) - factor * at(result, i - 1);
  }
  for (let i = count - 2; i >= 0; i--) {
    const factor = at(rows, i)[2] / at(rows, i + 1)[1];
    result[i] = at(result, i) - factor * at(result, i + 1);
  }
  return result.map((value, i) => value / at(rows, i)[1]);
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}
