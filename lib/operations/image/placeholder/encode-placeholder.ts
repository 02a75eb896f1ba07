import { encode } from "blurhash";
import { rgbaToThumbHash } from "thumbhash";
import { loadSharp, type SourceImage, translateVipsErrors } from "#lib/engines/image/open.ts";

/** The longest side that ThumbHash takes. */
const thumbHashSide = 100;

/** BlurHash has few frequencies, so that a small image is enough. */
const blurHashSide = 64;

/** Frequencies of the longer side of a BlurHash; the shorter one has fewer. */
const blurHashComponents = 4;

/** A tall image with a width of some pixels is cut off here. */
const maxHeight = 512;

/** The first frame of `source`, upright, as a WebP of `width` pixels in a data URI. */
export async function encodeDataUri(source: SourceImage, width: number): Promise<string> {
  const tiny = source
    .toSrgb()
    .autoOrient()
    .resize({ width, height: maxHeight, fit: "inside" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { data, info } = await translateVipsErrors(tiny);
  // From pixels alone, so that no metadata of the image is in it.
  const sharp = await loadSharp();
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const encoded = sharp(data, { raw }).webp({ quality: 50, alphaQuality: 50, effort: 6 });
  const bytes = await translateVipsErrors(encoded.toBuffer());
  return `data:image/webp;base64,${bytes.toString("base64")}`;
}

/** ThumbHash in Base64, with transparency. */
export async function encodeThumbHash(source: SourceImage): Promise<string> {
  const { data, width, height } = await readSmall(source, thumbHashSide);
  return Buffer.from(rgbaToThumbHash(width, height, data)).toString("base64");
}

/** BlurHash, which has no transparency, on white. */
export async function encodeBlurHash(source: SourceImage): Promise<string> {
  const { data, width, height } = await readSmall(source, blurHashSide, "#ffffff");
  const components = (side: number) =>
    Math.max(1, Math.round((blurHashComponents * side) / Math.max(width, height)));
  return encode(new Uint8ClampedArray(data), width, height, components(width), components(height));
}

/** Reads the first frame as RGBA, upright, at most `side` wide and high. */
async function readSmall(source: SourceImage, side: number, background?: string) {
  const upright = source.toSrgb().autoOrient();
  const opaque = background ? upright.flatten({ background }) : upright;
  const raw = opaque
    .resize({ width: side, height: side, fit: "inside" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { data, info } = await translateVipsErrors(raw);
  return { data, width: info.width, height: info.height };
}
