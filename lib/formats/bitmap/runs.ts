import { type BitmapHeader, damagedBitmap } from "./header.ts";

const escapes = { endOfLine: 0, endOfBitmap: 1, delta: 2 } as const;

/**
 * Decodes the runs of 4 or 8 bits a pixel ([MS-WMF] 3.1.6) to an index per pixel, rows in file order.
 * What no run paints has index 0; what would be outside of the image is left out. Throws
 * `JobError("corrupt")` if the data ends before the bitmap.
 */
export function decodeRuns(
  { width, bits }: BitmapHeader,
  height: number,
  data: Buffer,
): Uint8Array {
  const indexes = new Uint8Array(width * height);
  let at = 0;
  let x = 0;
  let y = 0;
  /** Paints `count` pixels with `indexOf` each, as far as the row goes. */
  const paint = (count: number, indexOf: (position: number) => number) => {
    const painted = Math.min(count, width - x);
    for (let position = 0; position < painted; position++) {
      indexes[y * width + x + position] = indexOf(position);
    }
    x = Math.min(width, x + count);
  };
  while (y < height) {
    if (at + 2 > data.length) {
      // Some programs write no end after the last row.
      if (y === height - 1 && x === width) break;
      throw damagedBitmap();
    }
    const count = data.readUInt8(at);
    const value = data.readUInt8(at + 1);
    at += 2;
    if (count > 0) {
      paint(count, bits === 8 ? () => value : (position) => nibble(value, position));
    } else if (value === escapes.endOfBitmap) {
      break;
    } else if (value === escapes.endOfLine) {
      x = 0;
      y = y + 1;
    } else if (value === escapes.delta) {
      if (at + 2 > data.length) throw damagedBitmap();
      x = Math.min(width, x + data.readUInt8(at));
      y += data.readUInt8(at + 1);
      at += 2;
    } else {
      const start = at;
      const bytes = Math.ceil((value * bits) / 8);
      if (start + bytes > data.length) throw damagedBitmap();
      const read = (position: number) =>
        bits === 8
          ? data.readUInt8(start + position)
          : nibble(data.readUInt8(start + (position >> 1)), position);
      paint(value, read);
      at += bytes + (bytes % 2);
    }
  }
  return indexes;
}

/** The first of two pixels is in the higher bits. */
function nibble(byte: number, position: number): number {
  return position % 2 === 0 ? byte >> 4 : byte & 15;
}
