/** Structural similarity of two images (Wang et al., "Image Quality Assessment", 2004). */

/** RGB, 8 bits per channel. */
export interface ComparedPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** One channel. */
interface Plane {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Brightness, and both color differences in half the resolution. */
export type ComparedPlanes = readonly Plane[];

/** Side of a block; a window is two by two blocks, and windows overlap by one block, as in ffmpeg. */
const blockSide = 4;

/** The constants of the paper for 8 bits, (0.01 × 255)² and (0.03 × 255)², for windows of 64 pixels. */
const windowPixels = (2 * blockSide) ** 2;
const c1 = (0.01 * 255) ** 2 * windowPixels ** 2;
const c2 = (0.03 * 255) ** 2 * windowPixels * (windowPixels - 1);

/** Sums of one row of blocks: of both images, of their squares together, and of their products. */
type BlockRow = readonly [
  first: Float64Array,
  second: Float64Array,
  squares: Float64Array,
  products: Float64Array,
];

/**
 * The SSIM of two images, from -1 to 1; 1 for equal ones, -1 for images of different size. It is that of
 * the brightness or, if it is lower, the mean of brightness and color differences by their pixels. The
 * latter have half the resolution, as in video.
 */
export function computeSsim(first: ComparedPlanes, second: ComparedPlanes): number {
  const left = first[0];
  const right = second[0];
  if (left?.width !== right?.width || left?.height !== right?.height) return -1;
  const values = first.map((plane, index) => comparePlanes(plane, second[index] ?? plane));
  const [luma = 0, blue = 0, red = 0] = values;
  return Math.min(luma, (4 * luma + blue + red) / 6);
}

/** Brightness and color differences as in JPEG (ITU-T T.871), the latter as means of 2 × 2 pixels. */
export function toPlanes({ data, width, height }: ComparedPixels): ComparedPlanes {
  const halfWidth = Math.ceil(width / 2);
  const halfHeight = Math.ceil(height / 2);
  const luma = new Uint8Array(width * height);
  const sums = [new Float32Array(halfWidth * halfHeight), new Float32Array(halfWidth * halfHeight)];
  const counts = new Uint8Array(halfWidth * halfHeight);
  const [blue = counts, red = counts] = sums;
  for (let y = 0, pixel = 0; y < height; y++) {
    for (let x = 0; x < width; x++, pixel++) {
      const r = data[pixel * 3] ?? 0;
      const g = data[pixel * 3 + 1] ?? 0;
      const b = data[pixel * 3 + 2] ?? 0;
      const brightness = 0.299 * r + 0.587 * g + 0.114 * b;
      luma[pixel] = Math.round(brightness);
      const half = (y >> 1) * halfWidth + (x >> 1);
      blue[half] = (blue[half] ?? 0) + (b - brightness) / 1.772;
      red[half] = (red[half] ?? 0) + (r - brightness) / 1.402;
      counts[half] = (counts[half] ?? 0) + 1;
    }
  }
  const chroma = (sum: ArrayLike<number>) =>
    Uint8Array.from(sum, (value, index) => Math.round(128 + value / (counts[index] ?? 1)));
  const half = { width: halfWidth, height: halfHeight };
  return [
    { data: luma, width, height },
    { data: chroma(blue), ...half },
    { data: chroma(red), ...half },
  ];
}

/** The mean of all windows. A plane smaller than a window is extended by its last row and column. */
function comparePlanes(first: Plane, second: Plane): number {
  const { width, height } = first;
  const columns = Math.max(2, Math.floor(width / blockSide));
  const rows = Math.max(2, Math.floor(height / blockSide));
  let sum = 0;
  let above = sumBlocks(first, second, 0, columns);
  for (let row = 1; row < rows; row++) {
    const below = sumBlocks(first, second, row, columns);
    sum += sumWindows(above, below);
    above = below;
  }
  return sum / ((rows - 1) * (columns - 1));
}

function sumBlocks(first: Plane, second: Plane, row: number, columns: number): BlockRow {
  const { width, height } = first;
  const left = first.data;
  const right = second.data;
  const sums: BlockRow = [
    new Float64Array(columns),
    new Float64Array(columns),
    new Float64Array(columns),
    new Float64Array(columns),
  ];
  for (let line = row * blockSide; line < (row + 1) * blockSide; line++) {
    const start = Math.min(line, height - 1) * width;
    for (let column = 0; column < columns; column++) {
      for (let x = column * blockSide; x < (column + 1) * blockSide; x++) {
        const index = start + Math.min(x, width - 1);
        const a = left[index] ?? 0;
        const b = right[index] ?? 0;
        sums[0][column] = (sums[0][column] ?? 0) + a;
        sums[1][column] = (sums[1][column] ?? 0) + b;
        sums[2][column] = (sums[2][column] ?? 0) + a * a + b * b;
        sums[3][column] = (sums[3][column] ?? 0) + a * b;
      }
    }
  }
  return sums;
}

function sumWindows(above: BlockRow, below: BlockRow): number {
  let total = 0;
  const columns = above[0].length;
  for (let column = 1; column < columns; column++) {
    const window = (index: 0 | 1 | 2 | 3) =>
      (above[index][column - 1] ?? 0) +
      (above[index][column] ?? 0) +
      (below[index][column - 1] ?? 0) +
      (below[index][column] ?? 0);
    const a = window(0);
    const b = window(1);
    const variances = window(2) * windowPixels - a * a - b * b;
    const covariance = window(3) * windowPixels - a * b;
    total += ((2 * a * b + c1) * (2 * covariance + c2)) / ((a * a + b * b + c1) * (variances + c2));
  }
  return total;
}
