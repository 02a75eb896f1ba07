import type { PdfDict, PdfValue } from "#lib/formats/pdf/objects/values.ts";

/** The pixels of a PNG as a PDF stores them: both use deflate with the same predictors. */

export interface PngData {
  readonly width: number;
  readonly height: number;
  readonly colorType: "gray" | "rgb" | "palette";
  readonly bits: number;
  /** RGB triples of a palette. */
  readonly palette: Buffer | undefined;
  readonly data: Buffer;
}

const signatureLength = 8;

/**
 * Reads the data of a PNG. Returns undefined if a PDF cannot store it as it is: with alpha or
 * transparency, or interlaced.
 */
export function readPngData(png: Buffer): PngData | undefined {
  const chunks: Buffer[] = [];
  let header: Buffer | undefined;
  let palette: Buffer | undefined;
  for (let at = signatureLength; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (name === "IHDR") header = body;
    if (name === "PLTE") palette = body;
    if (name === "tRNS") return undefined;
    if (name === "IDAT") chunks.push(body);
    if (name === "IEND") break;
    at += length + 12;
  }
  if (!header || header.length < 13 || header[12] !== 0) return undefined;
  const colorType = ({ 0: "gray", 2: "rgb", 3: "palette" } as const)[header[9] ?? -1];
  if (!colorType || (colorType === "palette" && !palette)) return undefined;
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  return { width, height, colorType, bits: header[8] ?? 8, palette, data: Buffer.concat(chunks) };
}

/** The entries of an image that decode `png`. */
export function pngDecoding({ width, colorType, bits }: PngData): PdfDict {
  const parameters: Record<string, PdfValue> = {
    "/Predictor": 15,
    "/Colors": colorType === "rgb" ? 3 : 1,
    "/BitsPerComponent": bits,
    "/Columns": width,
  };
  return { "/Filter": "/FlateDecode", "/DecodeParms": parameters };
}
