import type { Sharp, SourceImage } from "#lib/engines/image/open.ts";
import type { MediaTypeId } from "#lib/media/types.ts";

/** Formats that can be asked for. */
export const compressedFormats = ["jpeg", "png", "webp", "avif"] as const satisfies MediaTypeId[];

/** Formats that are written, those of an unchanged format included. */
export type WrittenFormat = (typeof compressedFormats)[number] | "gif" | "tiff";

/** The steps of an encoder, from the smallest file at 1 to the best quality at `top`. */
export interface Levels {
  readonly top: number;
  readonly encode: (pipeline: Sharp, level: number) => Sharp;
  /** The level that stands for a quality of 1 to 100. */
  readonly ofQuality: (quality: number) => number;
  /** Encoders without loss, if the format has any. The smallest result is used. */
  readonly lossless?: readonly ((pipeline: Sharp) => Sharp)[];
  /** Whether `lossless` is better than `top`, which reduces the image to a palette. */
  readonly isCoarse?: boolean;
  /** Whether the levels would lose the depth or the transparency of the image. */
  readonly isLosslessOnly?: boolean;
}

/** The levels of `format` for `source`. */
export function levelsOf(format: WrittenFormat, source: SourceImage): Levels {
  switch (format) {
    case "jpeg":
      return jpegLevels;
    case "webp":
      return {
        ...byQuality((pipeline, quality) => pipeline.webp({ quality, effort: 4 })),
        lossless: [(pipeline) => pipeline.webp({ lossless: true, exact: true })],
      };
    case "avif": {
      const bitdepth = source.depth === "ushort" ? 10 : 8;
      return {
        ...byQuality((pipeline, quality) => pipeline.avif({ quality, bitdepth, effort: 3 })),
        lossless: [(pipeline) => pipeline.avif({ lossless: true, bitdepth, effort: 3 })],
      };
    }
    case "png":
      return {
        ...pngLevels,
        // Photographs need filters, and graphics are smaller without.
        lossless: [true, false].map(
          (adaptiveFiltering) => (pipeline) =>
            pipeline.png({ compressionLevel: 9, adaptiveFiltering }),
        ),
      };
    case "gif":
      return {
        ...gifLevels,
        lossless: [(pipeline) => pipeline.gif({ dither: 0, effort: 10, ...keptFrames })],
      };
    case "tiff": {
      const { resolutionUnit = "inch", density = 72 } = source.metadata;
      const xres = density / 25.4;
      const yres = density / 25.4;
      const options = { xres, yres, resolutionUnit };
      return {
        ...byQuality((pipeline, quality) =>
          pipeline.tiff({ ...options, compression: "jpeg", quality }),
        ),
        lossless: [
          (pipeline) =>
            pipeline.tiff({ ...options, compression: "deflate", predictor: "horizontal" }),
        ],
        isLosslessOnly: source.depth === "ushort" || source.metadata.hasAlpha,
      };
    }
  }
}

function byQuality(encode: Levels["encode"]): Levels {
  return { top: 100, encode, ofQuality: (quality) => quality };
}

/** Up to this level, JPEG has half the resolution of colors; then its quality goes back a little. */
const lastHalvedLevel = 94;
const firstFullQuality = 90;

const jpegLevels: Levels = {
  top: lastHalvedLevel + 100 - firstFullQuality + 1,
  encode: (pipeline, level) =>
    pipeline.jpeg(
      level <= lastHalvedLevel
        ? { quality: level, mozjpeg: true, chromaSubsampling: "4:2:0" }
        : {
            quality: level - lastHalvedLevel - 1 + firstFullQuality,
            mozjpeg: true,
            chromaSubsampling: "4:4:4",
          },
    ),
  ofQuality: (quality) =>
    quality < firstFullQuality ? quality : lastHalvedLevel + 1 + quality - firstFullQuality,
};

/** Equal frames are kept, so that delays stay with their frames. */
const keptFrames = { reuse: false, keepDuplicateFrames: true } as const;

/** Palettes of few colors, which libvips makes for 1, 2, 4 and 8 bits per pixel only. */
const smallPalettes = [2, 4] as const;

/** The levels of PNG: above the smallest palettes, as many colors as a quality needs. */
const pngLevels: Levels = {
  top: smallPalettes.length + 100,
  encode: (pipeline, level) => {
    const colors = smallPalettes[level - 1];
    const size = colors ? { colors } : { quality: level - smallPalettes.length };
    return pipeline.png({ palette: true, effort: 7, ...size });
  },
  ofQuality: (quality) => smallPalettes.length + quality,
  isCoarse: true,
};

const gifPalettes = [...smallPalettes, 16, 256] as const;

const gifLevels: Levels = {
  top: gifPalettes.length,
  encode: (pipeline, level) =>
    pipeline.gif({ colors: gifPalettes[level - 1] ?? 256, effort: 8, ...keptFrames }),
  ofQuality: (quality) => Math.ceil((quality / 100) * gifPalettes.length),
  isCoarse: true,
};
