import { inflateSync } from "node:zlib";
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { isImage, readNumber } from "#lib/formats/pdf/images/find-images.ts";
import { undoPredictor } from "./predictor.ts";

/** What can be encoded again: the data of a JPEG file, or pixels of 8 bits a channel. */
export interface ImageSource {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly jpeg?: Buffer;
  readonly pixels?: Buffer;
  /** The color space that the pixels of an image with a palette have without it. */
  readonly colorSpace?: PDFObject;
}

const name = (text: string) => PDFName.of(text);

/** The names of the filters of a stream. */
export function filtersOf({ dict }: PDFRawStream): string[] {
  const filter = dict.lookup(name("Filter"));
  const names = filter instanceof PDFArray ? filter.asArray() : filter ? [filter] : [];
  return names.map((one) => `${one}`.slice(1));
}

/**
 * The content of an image, if encoding it again changes nothing but its quality: gray or RGB, not bilevel,
 * and without a mask by color. Undefined otherwise. Damaged data throws.
 */
export function readImageSource(stream: PDFRawStream, maxPixels: number): ImageSource | undefined {
  const { dict } = stream;
  const width = readNumber(dict, "Width");
  const height = readNumber(dict, "Height");
  const isMask = `${dict.lookup(name("ImageMask"))}` === "true";
  const softMask = dict.lookup(name("SMask"));
  const hasMatte = softMask instanceof PDFRawStream && softMask.dict.has(name("Matte"));
  if (!isImage(dict) || isMask || hasMatte || dict.has(name("Matte"))) return undefined;
  if (dict.lookup(name("Mask")) instanceof PDFArray || dict.has(name("SMaskInData")))
    return undefined;
  if (!(width > 0 && height > 0 && width * height <= maxPixels)) return undefined;
  const space = readSpace(dict.lookup(name("ColorSpace")), dict.context);
  const bits = readNumber(dict, "BitsPerComponent");
  if (!space || (bits !== 8 && !(space.palette && bits < 8))) return undefined;
  const { channels } = space;
  const filters = filtersOf(stream);
  const contents = Buffer.from(stream.contents);
  if (filters.join() === "DCTDecode" && !space.palette && !dict.has(name("DecodeParms"))) {
    return { width, height, channels, jpeg: contents };
  }
  if (filters.join() !== "FlateDecode" || (space.palette && dict.has(name("Decode"))))
    return undefined;
  const stored = space.palette ? 1 : channels;
  const rowBytes = Math.ceil((width * stored * bits) / 8);
  const data = undoPredictor(
    inflateSync(contents, { maxOutputLength: (rowBytes + 1) * height + 1024 }),
    { ...readPredictor(dict), channels: stored, bits, rowBytes, height },
  );
  if (data.length < rowBytes * height) return undefined;
  if (!space.palette)
    return { width, height, channels, pixels: data.subarray(0, rowBytes * height) };
  const pixels = applyPalette(data, space.palette, { width, height, channels, bits, rowBytes });
  return { width, height, channels, pixels, colorSpace: space.object };
}

interface Space {
  readonly channels: 1 | 3;
  readonly object: PDFObject;
  readonly palette?: Uint8Array;
}

const channelsByName: Readonly<Record<string, 1 | 3>> = {
  "/DeviceGray": 1,
  "/CalGray": 1,
  "/G": 1,
  "/Separation": 1,
  "/DeviceRGB": 3,
  "/CalRGB": 3,
  "/RGB": 3,
};

function readSpace(space: PDFObject | undefined, context: PDFContext): Space | undefined {
  if (space instanceof PDFName) {
    const channels = channelsByName[`${space}`];
    return channels && { channels, object: space };
  }
  if (!(space instanceof PDFArray)) return undefined;
  const kind = `${space.lookup(0)}`;
  if (kind === "/ICCBased") {
    const profile = space.lookup(1);
    const channels = profile instanceof PDFRawStream ? readNumber(profile.dict, "N") : 0;
    return channels === 1 || channels === 3 ? { channels, object: space } : undefined;
  }
  if (kind === "/Indexed") {
    const base = readSpace(context.lookup(space.get(1)), context);
    const table = space.lookup(3);
    const palette = readBytes(table);
    // Tints of one ink are numbers like the others, but a palette of them is rare.
    if (!base || base.palette || !palette) return undefined;
    return { channels: base.channels, object: space.get(1), palette };
  }
  const channels = channelsByName[kind];
  return channels && { channels, object: space };
}

function readBytes(value: PDFObject | undefined): Uint8Array | undefined {
  if (value instanceof PDFString || value instanceof PDFHexString) return value.asBytes();
  if (!(value instanceof PDFRawStream)) return undefined;
  const filters = filtersOf(value).join();
  if (filters === "") return value.contents;
  return filters === "FlateDecode" && !value.dict.has(name("DecodeParms"))
    ? inflateSync(value.contents, { maxOutputLength: 4096 })
    : undefined;
}

function readPredictor(dict: PDFDict): { predictor: number; columns: number } {
  const found = dict.lookup(name("DecodeParms"));
  const parameters = found instanceof PDFArray ? found.lookup(0) : found;
  if (!(parameters instanceof PDFDict)) return { predictor: 1, columns: 1 };
  const columns = parameters.lookup(name("Columns"));
  return {
    predictor: readNumber(parameters, "Predictor") || 1,
    columns: columns instanceof PDFNumber ? columns.asNumber() : 1,
  };
}

interface PaletteLayout {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly bits: number;
  readonly rowBytes: number;
}

function applyPalette(data: Buffer, palette: Uint8Array, layout: PaletteLayout): Buffer {
  const { width, height, channels, bits, rowBytes } = layout;
  const pixels = Buffer.alloc(width * height * channels);
  const mask = 2 ** bits - 1;
  let at = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * bits;
      const byte = data[y * rowBytes + (bit >> 3)] ?? 0;
      const index = (byte >> (8 - bits - (bit & 7))) & mask;
      for (let channel = 0; channel < channels; channel++) {
        pixels[at++] = palette[index * channels + channel] ?? 0;
      }
    }
  }
  return pixels;
}
