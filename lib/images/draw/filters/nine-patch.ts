import { requireDrawable } from "../pixels/canvas.ts";
import { openSource } from "../pixels/open-source.ts";
import { readSamples, type Samples, withAlpha } from "../pixels/samples.ts";
import { composite } from "./composite.ts";
import { createPlain } from "./fill.ts";

/**
 * thumbor's filter `frame`. A nine-patch image has a border of one pixel with black markers: those at the top and on
 * the left say which columns and rows are stretched, those at the bottom and on the right where the picture is.
 */

const white = [255, 255, 255, 255] as const;

/** The picture on white, with padding where the frame has some, and the frame over it. */
export async function drawNinePatch(picture: Samples, path: string): Promise<Samples> {
  const source = await openSource(path);
  const patch = withAlpha(await readSamples(await source.open()));
  const columns = readPadding(patch.width, (x) => isMarker(patch, x, patch.height - 1));
  const rows = readPadding(patch.height, (y) => isMarker(patch, patch.width - 1, y));
  const size = {
    width: picture.width + columns.before + columns.after,
    height: picture.height + rows.before + rows.after,
  };
  requireDrawable(size);
  const canvas = createPlain(size, white);
  composite(canvas, withAlpha(picture), columns.before, rows.before);
  drawCells(patch, canvas);
  return canvas;
}

/** Whether a pixel is black without transparency. */
function isMarker({ data, width }: Samples, x: number, y: number): boolean {
  return data.readUInt32BE((y * width + x) * 4) === 0x00_00_00_ff;
}

/** The pixels of a side before the first marker and after the last one. */
function readPadding(side: number, isMarked: (at: number) => boolean) {
  const marked = Array.from({ length: Math.max(0, side - 2) }, (_, index) => isMarked(index + 1));
  const first = marked.indexOf(true);
  if (first === -1) return { before: 0, after: 0 };
  return { before: first, after: marked.length - 1 - marked.lastIndexOf(true) };
}

/** A run of columns or rows that are all stretched or all kept, in the patch and on the canvas. */
interface Run {
  readonly from: number;
  readonly length: number;
  readonly to: number;
  readonly drawn: number;
}

function drawCells(patch: Samples, canvas: Samples): void {
  const columns = planRuns(patch.width, canvas.width, (x) => isMarker(patch, x, 0));
  const rows = planRuns(patch.height, canvas.height, (y) => isMarker(patch, 0, y));
  for (const row of rows) {
    if (row.to + row.drawn > canvas.height) continue;
    for (const column of columns) {
      // As in thumbor, a part that is larger than the picture is not drawn.
      if (column.to + column.drawn <= canvas.width) drawCell(patch, canvas, column, row);
    }
  }
}

function planRuns(side: number, wanted: number, isStretched: (at: number) => boolean): Run[] {
  const stretched = Array.from({ length: Math.max(0, side - 2) }, (_, index) =>
    isStretched(index + 1),
  );
  const stretchable = stretched.filter(Boolean).length;
  const rest = Math.max(0, wanted - (stretched.length - stretchable));
  const runs: Run[] = [];
  let to = 0;
  for (let start = 0; start < stretched.length; ) {
    const end = stretched.indexOf(!stretched[start], start);
    const length = (end === -1 ? stretched.length : end) - start;
    const drawn = stretched[start] ? Math.trunc((length / stretchable) * rest + 0.5) : length;
    runs.push({ from: start + 1, length, to, drawn });
    to += drawn;
    start += length;
  }
  return runs;
}

/** Draws a part of the patch, stretched by bilinear interpolation, with thumbor's rounding. */
function drawCell(patch: Samples, canvas: Samples, column: Run, row: Run): void {
  const stepX = (column.length - 1) / column.drawn;
  const stepY = (row.length - 1) / row.drawn;
  for (let y = 0; y < row.drawn; y++) {
    const sourceY = Math.trunc(stepY * y);
    const shareY = stepY * y - sourceY;
    for (let x = 0; x < column.drawn; x++) {
      const sourceX = Math.trunc(stepX * x);
      const shareX = stepX * x - sourceX;
      const from = ((row.from + sourceY) * patch.width + column.from + sourceX) * 4;
      const to = ((row.to + y) * canvas.width + column.to + x) * 4;
      const sample = (channel: number) => interpolate(patch, from + channel, shareX, shareY);
      const clear = (255 - sample(3)) / 255;
      for (let channel = 0; channel < 3; channel++) {
        const under = (canvas.data[to + channel] ?? 0) * clear;
        canvas.data[to + channel] = Math.min(255, (1 - clear) * sample(channel) + under);
      }
    }
  }
}

/** The value between four pixels, of which `at` is the upper left one. */
function interpolate({ data, width }: Samples, at: number, shareX: number, shareY: number): number {
  const a = data[at] ?? 0;
  const b = data[at + 4] ?? 0;
  const c = data[at + width * 4] ?? 0;
  const d = data[at + width * 4 + 4] ?? 0;
  if (a === b && a === c && a === d) return a;
  const upper = a * (1 - shareX) * (1 - shareY) + b * shareX * (1 - shareY);
  return Math.trunc(Math.min(255, upper + c * (1 - shareX) * shareY + d * shareX * shareY));
}
