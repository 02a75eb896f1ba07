import { inflateSync } from "node:zlib";
import {
  PDFArray,
  type PDFDict,
  PDFName,
  type PDFObject,
  PDFRawStream,
  type PDFStream,
} from "@cantoo/pdf-lib";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";
import { readNumber } from "#lib/formats/pdf/images/find-images.ts";
import type { Corners } from "#lib/formats/pdf/structure/corners.ts";
import { invert, type Matrix, transformBox } from "#lib/formats/pdf/structure/matrix.ts";
import { UncertainContent } from "../content/rewriter.ts";
import { redactJpeg } from "./redact-jpeg.ts";

const maxPixels = 100_000_000;

/** A copy of an image without the pixels below `areas`; its mask becomes transparent there. */
export async function redactImage(
  image: PDFStream,
  matrix: Matrix,
  areas: readonly Corners[],
): Promise<PDFRawStream> {
  const inverse = invert(matrix);
  if (!inverse) throw new UncertainContent("an image without area");
  const unit = areas.map((area) => transformBox(inverse, area));
  const dict = image.dict.clone();
  for (const name of ["SMask", "Mask"]) {
    const mask = image.dict.lookup(key(name));
    if (mask instanceof PDFRawStream) {
      dict.set(key(name), dict.context.register(await paint(mask, mask.dict.clone(), unit)));
    }
  }
  for (const name of ["Alternates", "Metadata", "OPI"]) dict.delete(key(name));
  return paint(image, dict, unit);
}

async function paint(
  image: PDFStream,
  dict: PDFDict,
  unit: readonly Corners[],
): Promise<PDFRawStream> {
  const width = readNumber(dict, "Width");
  const height = readNumber(dict, "Height");
  const hasSize = Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0;
  if (!hasSize || width * height > maxPixels) throw new UncertainContent("an image");
  // The first row of an image is at the top, where its unit square has the coordinate 1.
  const boxes = unit.map(([x0, y0, x1, y1]) => ({
    left: Math.max(0, Math.floor(x0 * width)),
    right: Math.min(width, Math.ceil(x1 * width)),
    top: Math.max(0, Math.floor((1 - y1) * height)),
    bottom: Math.min(height, Math.ceil((1 - y0) * height)),
  }));
  const filter = filterOf(dict.lookup(key("Filter")));
  const bytes = Buffer.from(image.getContents());
  if (filter === "DCTDecode") {
    const encoded = await redactJpeg(bytes, dict, { width, height }, (pixels, channels) => {
      for (const box of boxes) clear(pixels, width * channels * 8, channels * 8, box);
    });
    dict.delete(key("DecodeParms"));
    return PDFRawStream.of(dict, encoded);
  }
  if (filter !== undefined && filter !== "FlateDecode")
    throw new UncertainContent(`an image in ${filter}`);
  if (filter && dict.has(key("DecodeParms"))) throw new UncertainContent("a predictor");
  const data = filter ? inflateSync(bytes, { maxOutputLength: maxPixels * 8 }) : bytes;
  const bits = readNumber(dict, "BitsPerComponent") || 1;
  // Rows begin at bytes. The number of components follows from the length of the data.
  const rowBytes = Math.floor(data.length / height);
  const components = Math.floor((rowBytes * 8) / (width * bits));
  if (components < 1 || Math.ceil((width * bits * components) / 8) !== rowBytes) {
    throw new UncertainContent("an image of unknown layout");
  }
  for (const box of boxes) clear(data, rowBytes * 8, components * bits, box);
  dict.delete(key("Filter"));
  return PDFRawStream.of(dict, data);
}

interface PixelBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Sets the bits of all pixels in the box to 0. */
function clear(data: Buffer, rowBits: number, pixelBits: number, box: PixelBox): void {
  for (let y = box.top; y < box.bottom; y++) {
    const start = y * rowBits + box.left * pixelBits;
    const end = y * rowBits + box.right * pixelBits;
    const first = Math.ceil(start / 8);
    const last = Math.floor(end / 8);
    if (first < last) data.fill(0, first, last);
    for (let bit = start; bit < end; bit++) {
      if (bit === first * 8 && first < last) bit = last * 8;
      if (bit >= end) break;
      data[bit >> 3] = (data[bit >> 3] ?? 0) & ~(0x80 >> (bit & 7));
    }
  }
}

/** The name of the filter; undefined if there is none. */
function filterOf(filter: PDFObject | undefined): string | undefined {
  if (filter instanceof PDFName) return filter.decodeText();
  if (!(filter instanceof PDFArray) || filter.size() === 0) return undefined;
  if (filter.size() > 1) throw new UncertainContent("an image with several filters");
  return filterOf(filter.lookup(0));
}
