import { JobError } from "#lib/errors.ts";
import type { Samples } from "./pixels/samples.ts";

/** Writes BMP and ICO files, which sharp cannot write, in a worker. */

const fileHeaderBytes = 14;
/** Of the version of the header that has channel masks. */
const infoHeaderBytes = 108;

/**
 * A BMP file of gray or color samples: 24 bits a pixel, or 32 with transparency. Rows go from the bottom
 * to the top, and have a multiple of four bytes.
 */
export function encodeBmp({ data, width, height, channels }: Samples): Buffer {
  const hasAlpha = channels === 2 || channels === 4;
  const isGray = channels <= 2;
  const pixelBytes = hasAlpha ? 4 : 3;
  const rowBytes = Math.ceil((width * pixelBytes) / 4) * 4;
  const start = fileHeaderBytes + infoHeaderBytes;
  const file = Buffer.alloc(start + rowBytes * height);
  file.write("BM", 0, "latin1");
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(start, 10);
  const info = file.subarray(fileHeaderBytes);
  info.writeUInt32LE(infoHeaderBytes, 0);
  info.writeInt32LE(width, 4);
  info.writeInt32LE(height, 8);
  info.writeUInt16LE(1, 12);
  info.writeUInt16LE(pixelBytes * 8, 14);
  info.writeUInt32LE(hasAlpha ? maskedPixels : 0, 16);
  info.writeUInt32LE(rowBytes * height, 20);
  if (hasAlpha)
    for (const [index, mask] of masks.entries()) info.writeUInt32LE(mask, 40 + index * 4);
  info.write("BGRs", 56, "latin1"); // "sRGB" as a number with its lowest byte first
  const blue = isGray ? 0 : 2;
  const green = isGray ? 0 : 1;
  for (let y = 0; y < height; y++) {
    let to = start + (height - 1 - y) * rowBytes;
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * channels;
      file[to++] = data[from + blue] ?? 0;
      file[to++] = data[from + green] ?? 0;
      file[to++] = data[from] ?? 0;
      if (hasAlpha) file[to++] = data[from + channels - 1] ?? 0;
    }
  }
  return file;
}

/** Says that the header has the masks of red, green, blue and alpha. */
const maskedPixels = 3;
const masks = [0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000];

/** The longest side of an icon. */
const maxIconSide = 256;

/** An ICO file with one image, which is a PNG. Throws `JobError` if it is too large for an icon. */
export function encodeIco(png: Buffer, width: number, height: number): Buffer {
  if (width > maxIconSide || height > maxIconSide) {
    throw new JobError("too_complex", "A picture in ICO has at most 256 pixels on each side.");
  }
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  // 256 is written as 0.
  header.writeUInt8(width % maxIconSide, 6);
  header.writeUInt8(height % maxIconSide, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
