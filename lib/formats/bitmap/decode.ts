import { type FileLimits, limitError } from "#lib/limits/limits.ts";
import { damagedBitmap, readBitmapHeader } from "./header.ts";
import { decodePixels, rowBytes } from "./pixels.ts";

/** A decoded image: RGBA with 8 bits, rows from top to bottom. */
export interface DecodedBitmap {
  readonly width: number;
  readonly height: number;
  readonly rgba: Buffer;
  /** Whether alpha has a meaning; otherwise every pixel is opaque. */
  readonly hasAlpha: boolean;
  /** The resolution in pixels per inch; undefined if it is not declared. */
  readonly density: number | undefined;
}

/** The size of the BITMAPFILEHEADER. */
const fileHeaderBytes = 14;

/**
 * Decodes a BMP file. Alpha that is 0 everywhere has no meaning. Throws `JobError`: `corrupt`, or
 * `too_complex` above `imagePixels`.
 */
export function decodeBmp(file: Buffer, limits: FileLimits): DecodedBitmap {
  if (file.length < fileHeaderBytes || file.toString("latin1", 0, 2) !== "BM")
    throw damagedBitmap();
  const header = readBitmapHeader(file.subarray(fileHeaderBytes));
  const { width, height, density } = header;
  requireFewPixels(width, height, limits);
  const data = file.subarray(Math.max(file.readUInt32LE(10), fileHeaderBytes));
  const { rgba, hasAlpha } = decodePixels(header, height, data);
  if (!hasAlpha) makeOpaque(rgba);
  return { width, height, rgba, hasAlpha, density };
}

/**
 * Decodes the bitmap of an icon: a header without that of a file, pixels, and a mask of transparent
 * pixels, which counts if the pixels have no alpha. Throws as `decodeBmp`.
 */
export function decodeIconBitmap(dib: Buffer, limits: FileLimits): DecodedBitmap {
  const header = readBitmapHeader(dib);
  const { width } = header;
  const height = Math.floor(header.height / 2);
  if (height === 0) throw damagedBitmap();
  requireFewPixels(width, height, limits);
  const data = dib.subarray(header.end);
  const { rgba, hasAlpha } = decodePixels(header, height, data);
  if (hasAlpha) return { width, height, rgba, hasAlpha, density: undefined };
  makeOpaque(rgba);
  const mask = data.subarray(rowBytes(width, header.bits) * height);
  const isMasked = applyMask(mask, { width, height, isTopDown: header.isTopDown }, rgba);
  return { width, height, rgba, hasAlpha: isMasked, density: undefined };
}

function requireFewPixels(width: number, height: number, { imagePixels }: FileLimits): void {
  if (width * height > imagePixels) throw limitError("imagePixels", imagePixels);
}

function makeOpaque(rgba: Buffer): void {
  for (let at = 3; at < rgba.length; at += 4) rgba[at] = 255;
}

/** Makes the pixels transparent whose bit is set. Returns whether there was one. A mask may be missing. */
function applyMask(
  mask: Buffer,
  { width, height, isTopDown }: { width: number; height: number; isTopDown: boolean },
  rgba: Buffer,
): boolean {
  const stride = rowBytes(width, 1);
  if (mask.length < stride * height) return false;
  let isMasked = false;
  for (let row = 0; row < height; row++) {
    const target = (isTopDown ? row : height - 1 - row) * width;
    for (let x = 0; x < width; x++) {
      if (((mask[row * stride + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) === 0) continue;
      rgba[(target + x) * 4 + 3] = 0;
      isMasked = true;
    }
  }
  return isMasked;
}
