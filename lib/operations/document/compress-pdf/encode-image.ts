import { rm } from "node:fs/promises";
import { PDFName, PDFNumber, PDFRawStream } from "@cantoo/pdf-lib";
import { inputOptions, loadSharp } from "#lib/engines/image/open.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import type { ImageSource } from "./image-pixels.ts";

export interface EncodeOptions {
  /** The quality of JPEG from 1 to 100. */
  readonly quality: number;
  /** The factor of the width and height, at most 1. */
  readonly scale: number;
}

/** Lossless data is kept if JPEG would not be this much smaller: it is a drawing, whose edges would blur. */
const leastGain = 1.5;

/**
 * Returns `stream` as JPEG with fewer pixels, or undefined if it would not be smaller. Colors stay
 * as numbers of the same color space.
 */
export async function encodeImage(
  stream: PDFRawStream,
  source: ImageSource,
  { quality, scale }: EncodeOptions,
  work: WorkFolder,
): Promise<PDFRawStream | undefined> {
  const { width, height, channels, pixels, jpeg, colorSpace } = source;
  const sharp = await loadSharp();
  // sharp may read JPEG files, but no buffers.
  const file = work.scratch("jpg");
  if (jpeg) await writeNew(file.path, withoutProfile(jpeg));
  const image = pixels
    ? sharp(pixels, { raw: { width, height, channels } })
    : sharp(file.path, inputOptions);
  if (jpeg) {
    const found = await image.metadata();
    if (found.channels !== channels || found.width !== width || found.height !== height)
      return undefined;
  }
  if (scale < 1) {
    const [w, h] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
    image.resize(w, h, { fit: "fill" });
  }
  const { data, info } = await image
    .toColourspace(channels === 1 ? "b-w" : "srgb")
    .jpeg({ quality, mozjpeg: true })
    .toBuffer({ resolveWithObject: true });
  await rm(file.path, { force: true });
  const gain = jpeg ? 1.1 : leastGain;
  if (info.channels !== channels || data.length * gain > stream.contents.length) return undefined;
  const dict = stream.dict.clone();
  dict.set(PDFName.of("Width"), PDFNumber.of(info.width));
  dict.set(PDFName.of("Height"), PDFNumber.of(info.height));
  dict.set(PDFName.of("BitsPerComponent"), PDFNumber.of(8));
  dict.set(PDFName.of("Filter"), PDFName.of("DCTDecode"));
  dict.delete(PDFName.of("DecodeParms"));
  if (colorSpace) dict.set(PDFName.of("ColorSpace"), colorSpace);
  return PDFRawStream.of(dict, data);
}

/** A JPEG file without ICC profile (APP2), which a PDF ignores but sharp would apply. */
function withoutProfile(jpeg: Buffer): Buffer {
  const parts: Buffer[] = [jpeg.subarray(0, 2)];
  let at = 2;
  while (jpeg[at] === 0xff && jpeg[at + 1] !== 0xda && at + 4 < jpeg.length) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    if (jpeg[at + 1] !== 0xe2) parts.push(jpeg.subarray(at, end));
    at = end;
  }
  return Buffer.concat([...parts, jpeg.subarray(at)]);
}
