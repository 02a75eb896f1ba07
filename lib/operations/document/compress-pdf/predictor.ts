/** Predictors of FlateDecode (ISO 32000-1, 7.4.4.4; PNG, 9). */

export interface PredictedData {
  /**
   * The predictor: 1 is none, 2 is TIFF, and from 10 on it is PNG, whose filter is in the first
   * byte of each row.
   */
  readonly predictor: number;
  readonly columns: number;
  readonly channels: number;
  /** The bits per channel. */
  readonly bits: number;
  readonly rowBytes: number;
  readonly height: number;
}

/** The data before the prediction. Empty if the prediction is of another kind or for other rows. */
export function undoPredictor(data: Buffer, options: PredictedData): Buffer {
  const { predictor, columns, channels, bits, rowBytes, height } = options;
  if (predictor === 1) return data;
  const isPng = predictor >= 10;
  if (!isPng || Math.ceil((columns * channels * bits) / 8) !== rowBytes) return Buffer.alloc(0);
  const pixelBytes = Math.max(1, (channels * bits) >> 3);
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const from = y * (rowBytes + 1);
    const to = y * rowBytes;
    if (from + rowBytes >= data.length) return Buffer.alloc(0);
    undoRow(data, from, rows, { to, rowBytes, pixelBytes, isFirst: y === 0 });
  }
  return rows;
}

interface Row {
  readonly to: number;
  readonly rowBytes: number;
  readonly pixelBytes: number;
  readonly isFirst: boolean;
}

function undoRow(data: Buffer, from: number, rows: Buffer, row: Row): void {
  const { to, rowBytes, pixelBytes, isFirst } = row;
  const filter = data[from];
  for (let x = 0; x < rowBytes; x++) {
    const left = x >= pixelBytes ? (rows[to + x - pixelBytes] ?? 0) : 0;
    const up = isFirst ? 0 : (rows[to + x - rowBytes] ?? 0);
    const upLeft = isFirst || x < pixelBytes ? 0 : (rows[to + x - rowBytes - pixelBytes] ?? 0);
    const raw = data[from + 1 + x] ?? 0;
    rows[to + x] = raw + predict(filter, left, up, upLeft);
  }
}

function predict(filter: number | undefined, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const base = left + up - upLeft;
      const a = Math.abs(base - left);
      const b = Math.abs(base - up);
      const c = Math.abs(base - upLeft);
      return a <= b && a <= c ? left : b <= c ? up : upLeft;
    }
    default:
      return 0;
  }
}
