import { deflateSync } from "node:zlib";
import { type SourceImage, translateVipsErrors } from "#lib/engines/image/open.ts";
import { requireDecodable } from "#lib/engines/image/save.ts";
import { readRegular } from "#lib/files/regular-files.ts";
import { byteString } from "#lib/formats/pdf/objects/text.ts";
import type { PdfDict, PdfRef, PdfValue } from "#lib/formats/pdf/objects/values.ts";
import type { PdfWriter } from "#lib/formats/pdf/objects/writer.ts";
import { isLosslessWebp } from "#lib/formats/webp/webp-chunks.ts";
import { type PngData, pngDecoding, readPngData } from "./png-data.ts";

/** Writes images as image objects of a PDF, in a worker. */

/** No loss is visible, and the data is a tenth of lossless data. */
const lossyQuality = 95;

/**
 * Writes one frame as it is stored, not yet upright. The data of JPEG files, and of PNG files without
 * alpha, is copied. Others are encoded without loss, except AVIF and lossy WebP, which become JPEG. ICC
 * profile, depth and alpha are kept. Throws `JobError("corrupt")` if a pixel cannot be decoded.
 */
export async function embedImage(source: SourceImage, writer: PdfWriter): Promise<PdfRef> {
  const { format, hasAlpha } = source.metadata;
  if (!source.file.encoding && format === "jpeg" && source.metadata.depth === "uchar") {
    await requireDecodable(source);
    return embedJpeg(source, await readRegular(source.file.path), writer);
  }
  if (!source.file.encoding && format === "png" && !hasAlpha) {
    const png = readPngData(await readRegular(source.file.path));
    if (png) await requireDecodable(source);
    if (png) return embedPng(source, png, {}, writer);
  }
  const mask: PdfDict = hasAlpha ? await embedAlpha(source, writer) : {};
  if (source.space === "cmyk") return embedCmyk(source, mask, writer);
  if (source.metadata.bitsPerSample === 1 && !hasAlpha) return embedBilevel(source, writer);
  const opaque = source.pipeline().removeAlpha();
  if (await isLossy(source)) {
    const jpeg = opaque.jpeg({ quality: lossyQuality, chromaSubsampling: "4:4:4" });
    const encoded = await translateVipsErrors(jpeg.toBuffer({ resolveWithObject: true }));
    return embedJpeg(source, encoded.data, writer, mask, encoded.info.channels);
  }
  const encoded = await translateVipsErrors(opaque.png({ compressionLevel: 6 }).toBuffer());
  const png = readPngData(encoded);
  if (!png) throw new Error("libvips wrote a PNG of another kind");
  return embedPng(source, png, mask, writer);
}

async function isLossy({ file, metadata, depth }: SourceImage): Promise<boolean> {
  if (depth !== "uchar" || file.encoding) return false;
  if (metadata.format === "webp") return !(await isLosslessWebp(file.path));
  return metadata.format === "heif" || metadata.format === "jpeg";
}

function imageDict(source: SourceImage, more: PdfDict): PdfDict {
  return {
    "/Type": "/XObject",
    "/Subtype": "/Image",
    "/Width": source.width,
    "/Height": source.height,
    ...more,
  };
}

/** The segment APP14. Adobe's encoders invert the channels of CMYK and say so with this segment. */
const adobeMarker = Buffer.from("\xff\xee\x00\x0eAdobe", "latin1");

function embedJpeg(
  source: SourceImage,
  data: Buffer,
  writer: PdfWriter,
  mask: PdfDict = {},
  channels: number = source.metadata.channels,
): PdfRef {
  const isInverted = channels === 4 && data.includes(adobeMarker);
  const dict = imageDict(source, {
    "/BitsPerComponent": 8,
    "/ColorSpace": colorSpace(source, channels, writer),
    "/Filter": "/DCTDecode",
    ...(isInverted ? { "/Decode": [1, 0, 1, 0, 1, 0, 1, 0] } : {}),
    ...mask,
  });
  return writer.addStream(dict, data);
}

function embedPng(source: SourceImage, png: PngData, mask: PdfDict, writer: PdfWriter): PdfRef {
  const { palette, bits } = png;
  const base = colorSpace(source, png.colorType === "gray" ? 1 : 3, writer);
  const lookup = (colors: Buffer): PdfValue => {
    const last = Math.min(colors.length / 3, 2 ** bits) - 1;
    return ["/Indexed", base, last, byteString(colors.subarray(0, (last + 1) * 3))];
  };
  const dict = imageDict(source, {
    "/BitsPerComponent": bits,
    "/ColorSpace": palette && png.colorType === "palette" ? lookup(palette) : base,
    ...pngDecoding(png),
    ...mask,
  });
  return writer.addStream(dict, png.data);
}

async function embedCmyk(source: SourceImage, mask: PdfDict, writer: PdfWriter): Promise<PdfRef> {
  const pixels = source.pipeline().removeAlpha().raw();
  const { data, info } = await translateVipsErrors(pixels.toBuffer({ resolveWithObject: true }));
  const dict = imageDict(source, {
    "/BitsPerComponent": 8,
    "/ColorSpace": colorSpace(source, info.channels, writer),
    ...mask,
  });
  return writer.addDeflated(dict, data);
}

/** Scans in black and white: eight pixels a byte. */
async function embedBilevel(source: SourceImage, writer: PdfWriter): Promise<PdfRef> {
  const { width, height } = source;
  const gray = source.pipeline("b-w").extractChannel(0).raw();
  const pixels = await translateVipsErrors(gray.toBuffer());
  const rowBytes = Math.ceil(width / 8);
  const packed = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((pixels[y * width + x] ?? 0) < 128) continue;
      const at = y * rowBytes + (x >> 3);
      packed[at] = (packed[at] ?? 0) | (0x80 >> (x & 7));
    }
  }
  const dict = imageDict(source, { "/BitsPerComponent": 1, "/ColorSpace": "/DeviceGray" });
  return writer.addDeflated(dict, packed);
}

/** The soft mask of an image that is not opaque. */
async function embedAlpha(source: SourceImage, writer: PdfWriter): Promise<PdfDict> {
  const { width, height } = source;
  // Without the profile, which `toSrgb` would apply to the channel.
  const alpha = source.pipeline().extractChannel(3).toColorspace("b-w").raw();
  const data = await translateVipsErrors(alpha.toBuffer());
  if (data.every((value) => value === 255)) return {};
  const dict = imageDict(source, { "/BitsPerComponent": 8, "/ColorSpace": "/DeviceGray" });
  if (data.length !== width * height) throw new Error("the alpha channel has another size");
  const packed = deflateSync(data);
  return { "/SMask": writer.addStream({ ...dict, "/Filter": "/FlateDecode" }, packed) };
}

const deviceSpaces: Readonly<Record<number, PdfValue>> = {
  1: "/DeviceGray",
  3: "/DeviceRGB",
  4: "/DeviceCMYK",
};

/** The data color spaces of ICC profiles (ICC.1:2022, table 19) by their number of channels. */
const profileSpaces: Readonly<Record<number, string>> = { 1: "GRAY", 3: "RGB ", 4: "CMYK" };

/** The ICC profile of the image if it fits the channels that are written. */
function colorSpace(source: SourceImage, channels: number, writer: PdfWriter): PdfValue {
  const device = deviceSpaces[channels] ?? "/DeviceRGB";
  const { icc } = source.metadata;
  if (!icc || icc.toString("latin1", 16, 20) !== profileSpaces[channels]) return device;
  const profile = writer.addDeflated({ "/N": channels, "/Alternate": device }, icc);
  return ["/ICCBased", profile];
}
