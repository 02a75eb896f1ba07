import type { FramePixels } from "./frames.ts";

/** EXIF orientations with which the rows of the upright image are stored as columns. */
const transposed: ReadonlySet<number> = new Set([5, 6, 7, 8]);
/** With which the stored columns, or rows, are in reverse order. */
const reversedColumns: ReadonlySet<number> = new Set([2, 3, 7, 8]);
const reversedRows: ReadonlySet<number> = new Set([3, 4, 6, 7]);

/** Each frame upright, as its EXIF orientation says, and then mirrored if there is a `direction`. */
export function orientFrames(
  { width, height, pages, channels, samples }: FramePixels,
  orientation: number,
  direction?: "horizontal" | "vertical",
): FramePixels {
  const swaps = transposed.has(orientation);
  // A flip reverses the stored axis that is displayed in its direction.
  const flipsColumns = direction !== undefined && (direction === "horizontal") !== swaps;
  const flipsRows = direction !== undefined && !flipsColumns;
  const fromRight = reversedColumns.has(orientation) !== flipsColumns;
  const fromBottom = reversedRows.has(orientation) !== flipsRows;
  const size = swaps ? { width: height, height: width } : { width, height };
  const isWords = samples instanceof Uint16Array;
  const moved = isWords ? new Uint16Array(samples.length) : Buffer.alloc(samples.length);
  const rowLength = width * channels;
  // The steps in the stored frame to the next pixel of an upright row, and to the next upright row.
  const acrossStep = fromRight ? -channels : channels;
  const downStep = fromBottom ? -rowLength : rowLength;
  const [pixelStep, rowStep] = swaps ? [downStep, acrossStep] : [acrossStep, downStep];
  const first = (fromRight ? rowLength - channels : 0) + (fromBottom ? height - 1 : 0) * rowLength;
  let target = 0;
  for (let page = 0; page < pages; page++) {
    const start = page * height * rowLength + first;
    for (let y = 0; y < size.height; y++) {
      let from = start + y * rowStep;
      for (let x = 0; x < size.width; x++, from += pixelStep) {
        for (let channel = 0; channel < channels; channel++) {
          moved[target++] = samples[from + channel] ?? 0;
        }
      }
    }
  }
  return { ...size, pages, channels, samples: moved };
}
