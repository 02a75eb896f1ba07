import { PDFArray, PDFDict, PDFName, type PDFObject, PDFStream } from "@cantoo/pdf-lib";
import { loadSharp } from "#lib/engines/image/open.ts";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";
import { readNumber } from "#lib/formats/pdf/images/find-images.ts";
import { UncertainContent } from "../content/rewriter.ts";

/** Quality of a JPEG that is encoded again without the removed pixels. */
const quality = 95;

/** The names of libvips for the color spaces of JPEG, by their channels. */
const spaces = new Map<number, "b-w" | "srgb" | "cmyk">([
  [1, "b-w"],
  [3, "srgb"],
  [4, "cmyk"],
]);

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * A JPEG of a picture with the entries `dict`, after `clear` has changed its pixels. The samples of the others stay as
 * they are: a profile in the JPEG, which readers of PDF ignore, is not applied.
 */
export async function redactJpeg(
  jpeg: Buffer,
  dict: PDFDict,
  { width, height }: PictureSize,
  clear: (pixels: Buffer, channels: number) => void,
): Promise<Buffer> {
  const sharp = await loadSharp();
  const damaged = () => {
    throw new UncertainContent("a damaged JPEG");
  };
  const open = () => sharp(jpeg, { limitInputPixels: width * height, ignoreIcc: true });
  const { channels } = await open().metadata().catch(damaged);
  const space = spaces.get(channels);
  if (!space || channels !== countComponents(dict.lookup(key("ColorSpace")))) {
    throw new UncertainContent("a JPEG with other channels than its color space");
  }
  if (hasOtherTransform(dict, channels)) throw new UncertainContent("a color transform");
  const { data, info } = await open()
    .pipelineColourspace(space)
    .toColourspace(space)
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(damaged);
  if (info.channels !== channels || info.width !== width || info.height !== height) {
    throw new UncertainContent("a JPEG of another size");
  }
  clear(data, channels);
  // sharp takes four channels for RGB with alpha, but not if they come one by one.
  const [first = data, ...others] = channels === 4 ? splitChannels(data, channels) : [];
  const raw = { width, height, channels: channels === 4 ? 1 : channels } as const;
  const image = sharp(first, { raw });
  if (others.length > 0) image.joinChannel(others, { raw });
  return image.toColourspace(space).jpeg({ quality, chromaSubsampling: "4:4:4" }).toBuffer();
}

function splitChannels(pixels: Buffer, channels: number): Buffer[] {
  return Array.from({ length: channels }, (_, channel) => {
    const plane = Buffer.alloc(pixels.length / channels);
    for (let at = 0; at < plane.length; at++) plane[at] = pixels[at * channels + channel] ?? 0;
    return plane;
  });
}

const componentsByName: ReadonlyMap<string, number> = new Map([
  ["DeviceGray", 1],
  ["CalGray", 1],
  ["Indexed", 1],
  ["Separation", 1],
  ["DeviceRGB", 3],
  ["CalRGB", 3],
  ["Lab", 3],
  ["DeviceCMYK", 4],
]);

/** The number of components of a color space (ISO 32000-1, 8.6); undefined for unknown ones. */
function countComponents(space: PDFObject | undefined): number | undefined {
  const family = space instanceof PDFArray ? space.lookup(0) : space;
  const detail = space instanceof PDFArray ? space.lookup(1) : undefined;
  if (!(family instanceof PDFName)) return undefined;
  const name = family.decodeText();
  if (name === "ICCBased" && detail instanceof PDFStream) return readNumber(detail.dict, "N");
  if (name === "DeviceN" && detail instanceof PDFArray) return detail.size();
  return componentsByName.get(name);
}

/** Whether the entries say that the channels are transformed other than decoders assume (ISO 32000-1, table 13). */
function hasOtherTransform(dict: PDFDict, channels: number): boolean {
  const given = dict.lookup(key("DecodeParms"));
  const parameters = given instanceof PDFArray ? given.lookup(0) : given;
  if (!(parameters instanceof PDFDict && parameters.has(key("ColorTransform")))) return false;
  const isTransformed = readNumber(parameters, "ColorTransform") !== 0;
  return channels !== 1 && isTransformed !== (channels === 3);
}
