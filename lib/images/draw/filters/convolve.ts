import { JobError } from "#lib/errors.ts";
import type { PixelFilter } from "../../plan/pixel-filters.ts";
import type { Samples } from "../pixels/samples.ts";

type Kernel = Pick<Extract<PixelFilter, { name: "convolution" }>, "kernel" | "columns" | "divisor">;

/** A worker does about half as many in a second. */
const maxProducts = 2e9;

/**
 * Convolves the samples with a kernel, row by row, as thumbor does: the edges are repeated, and sums are
 * cut off to integers. The kernel has an odd number of columns and rows. Throws `JobError` if it is too
 * large for the picture.
 */
export function convolve(
  { data, width, height, channels }: Samples,
  { kernel, columns, divisor }: Kernel,
): Samples {
  if (data.length * kernel.length > maxProducts) {
    throw new JobError("too_complex", "The kernel is too large for the picture.");
  }
  const rows = kernel.length / columns;
  const weights = Float64Array.from(kernel, (item) => item / divisor);
  const middleX = (columns - 1) / 2;
  const middleY = (rows - 1) / 2;
  const result = Buffer.alloc(data.length);
  const rowStarts = new Int32Array(rows);
  const columnStarts = new Int32Array(columns);
  for (let y = 0; y < height; y++) {
    for (let row = 0; row < rows; row++) {
      rowStarts[row] = Math.max(0, Math.min(height - 1, y + row - middleY)) * width * channels;
    }
    for (let x = 0; x < width; x++) {
      for (let column = 0; column < columns; column++) {
        columnStarts[column] = Math.max(0, Math.min(width - 1, x + column - middleX)) * channels;
      }
      const at = (y * width + x) * channels;
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0;
        for (let row = 0; row < rows; row++) {
          const start = (rowStarts[row] ?? 0) + channel;
          for (let column = 0; column < columns; column++) {
            const value = data[start + (columnStarts[column] ?? 0)] ?? 0;
            sum += value * (weights[row * columns + column] ?? 0);
          }
        }
        result[at + channel] = Math.max(0, Math.min(255, Math.trunc(sum)));
      }
    }
  }
  return { data: result, width, height, channels };
}
