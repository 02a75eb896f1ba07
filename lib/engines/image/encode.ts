import type { Sharp } from "sharp";
import type { MediaTypeId } from "#lib/media/types.ts";

/** Formats that libvips writes. */
export const encodableFormats = [
  "jpeg",
  "png",
  "webp",
  "avif",
  "gif",
  "tiff",
] as const satisfies MediaTypeId[];

export type EncodableFormat = (typeof encodableFormats)[number];

/** Formats of still images that browsers show. */
export const stillFormats = ["jpeg", "png", "webp", "avif"] as const;

export type StillFormat = (typeof stillFormats)[number];

/** Quality of the lossy formats if none is given: hardly different from the original to the eye. */
export const defaultQuality = { jpeg: 85, webp: 82, avif: 60, jxl: 90 } as const;

/** Formats whose animations libvips writes. The pages of a TIFF have no delays. */
export const multiFrameFormats: ReadonlySet<string> = new Set(["gif", "webp", "tiff"]);

/** Formats with transparency. That of GIF is on or off. */
export const transparentFormats: ReadonlySet<string> = new Set([
  "png",
  "webp",
  "avif",
  "gif",
  "tiff",
  "jxl",
]);

export interface Encoding {
  readonly format: EncodableFormat;
  /** The quality from 1 to 100. The lossless formats, PNG, GIF and TIFF, have none. */
  readonly quality?: number | undefined;
  /** Whether WebP and AVIF are lossless. */
  readonly lossless?: boolean | undefined;
  /** Whether a JPEG or PNG appears in steps while it loads. */
  readonly progressive?: boolean | undefined;
  /** Bits per channel, for AVIF; 8 by default. */
  readonly bitDepth?: 8 | 10 | 12;
  /** Pixels per inch, for TIFF. */
  readonly density?: number | undefined;
}

/** The quality from which on JPEG keeps the full resolution of the colors. */
const fullChromaQuality = 90;

/** Returns `pipeline` with the encoder of `encoding`. */
export function encodeAs(pipeline: Sharp, encoding: Encoding): Sharp {
  const { lossless = false, progressive = false } = encoding;
  switch (encoding.format) {
    case "jpeg": {
      const { quality = defaultQuality.jpeg } = encoding;
      const chromaSubsampling = quality >= fullChromaQuality ? "4:4:4" : "4:2:0";
      return pipeline.jpeg({ quality, progressive, chromaSubsampling });
    }
    case "png":
      return pipeline.png({ progressive });
    case "webp": {
      const { quality = defaultQuality.webp } = encoding;
      return pipeline.webp(lossless ? { lossless, exact: true } : { quality });
    }
    case "avif": {
      const { quality = defaultQuality.avif, bitDepth: bitdepth = 8 } = encoding;
      return pipeline.avif({ ...(lossless ? { lossless } : { quality }), bitdepth, effort: 3 });
    }
    case "gif":
      return pipeline.gif({ reuse: false, keepDuplicateFrames: true });
    case "tiff":
      return pipeline.tiff({
        compression: "lzw",
        predictor: "horizontal",
        ...resolution(encoding.density),
      });
  }
}

/** sharp would set the resolution of a TIFF to 1 pixel per millimeter. */
function resolution(density: number | undefined) {
  if (!density) return {};
  return { xres: density / 25.4, yres: density / 25.4, resolutionUnit: "inch" } as const;
}
