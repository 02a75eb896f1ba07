import { type BitmapHeader, damagedBitmap } from "./header.ts";
import { decodeRuns } from "./runs.ts";

/** The pixels of a bitmap: RGBA with 8 bits, rows from top to bottom. */
export interface BitmapPixels {
  readonly rgba: Buffer;
  /** Whether any pixel has an alpha value other than 0. */
  readonly hasAlpha: boolean;
}

/** Bytes of a row, which ends at a multiple of four. */
export function rowBytes(width: number, bits: number): number {
  return Math.ceil((width * bits) / 32) * 4;
}

/**
 * Decodes `height` rows of a bitmap from `data`, which begins with the first pixel. The caller has
 * checked the number of pixels. Throws `JobError("corrupt")` if pixels are missing.
 */
export function decodePixels(header: BitmapHeader, height: number, data: Buffer): BitmapPixels {
  const { width, bits, isTopDown, isRunLength } = header;
  const indexes = isRunLength ? decodeRuns(header, height, data) : undefined;
  const stride = rowBytes(width, bits);
  if (!indexes && data.length < stride * height) throw damagedBitmap();
  const rgba = Buffer.alloc(width * height * 4);
  let hasAlpha = false;
  for (let row = 0; row < height; row++) {
    const target = (isTopDown ? row : height - 1 - row) * width * 4;
    if (indexes)
      paintIndexes(indexes.subarray(row * width, (row + 1) * width), header, rgba, target);
    else if (bits <= 8) {
      paintIndexes(unpack(data.subarray(row * stride), width, bits), header, rgba, target);
    } else if (paintColors(data.subarray(row * stride, (row + 1) * stride), header, rgba, target)) {
      hasAlpha = true;
    }
  }
  return { rgba, hasAlpha };
}

/** The indexes of a row, whose first pixel is in the highest bits of the first byte. */
function unpack(row: Buffer, width: number, bits: number): Uint8Array {
  if (bits === 8) return row.subarray(0, width);
  const perByte = 8 / bits;
  const indexes = new Uint8Array(width);
  for (let x = 0; x < width; x++) {
    const shift = 8 - bits * ((x % perByte) + 1);
    indexes[x] = ((row[Math.floor(x / perByte)] ?? 0) >> shift) & (2 ** bits - 1);
  }
  return indexes;
}

const black = [0, 0, 0] as const;

/** An index that the palette does not have is black. */
function paintIndexes(indexes: Uint8Array, { palette }: BitmapHeader, rgba: Buffer, at: number) {
  let offset = at;
  for (const index of indexes) {
    const [red, green, blue] = palette[index] ?? black;
    rgba[offset] = red;
    rgba[offset + 1] = green;
    rgba[offset + 2] = blue;
    offset += 4;
  }
}

/** Paints a row of 16, 24 or 32 bits. Returns whether an alpha value is not 0. */
function paintColors(row: Buffer, { width, bits, masks }: BitmapHeader, rgba: Buffer, at: number) {
  const [red, green, blue, alpha] = masks.map(channelReader);
  if (!red || !green || !blue || !alpha) throw damagedBitmap();
  const bytes = bits / 8;
  let hasAlpha = false;
  for (let x = 0; x < width; x++) {
    const pixel = row.readUIntLE(x * bytes, bytes);
    const target = at + x * 4;
    rgba[target] = red(pixel);
    rgba[target + 1] = green(pixel);
    rgba[target + 2] = blue(pixel);
    const opacity = alpha(pixel);
    rgba[target + 3] = opacity;
    hasAlpha ||= opacity > 0;
  }
  return hasAlpha;
}

/** Reads the bits of `mask` as a value of 0 to 255; always 0 for an empty mask. */
function channelReader(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  if (most === 255) return (pixel) => (pixel >>> shift) & 255;
  return (pixel) => Math.round((((pixel & mask) >>> shift) / most) * 255);
}
