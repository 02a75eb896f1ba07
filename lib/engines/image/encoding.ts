import type { Metadata } from "sharp";

/**
 * Between two operations of a chain, an image is stored as PNG without compression, so that its pixels
 * are encoded only once, at the end. This is how they were encoded before, and will be.
 */
export interface ImageEncoding
  extends Partial<
    Pick<
      Metadata,
      | "format"
      | "chromaSubsampling"
      | "isProgressive"
      | "bitsPerSample"
      | "density"
      | "resolutionUnit"
    >
  > {
  /** Whether a WebP file is lossless. */
  readonly isLossless?: boolean;
}

/** The properties of `metadata` that decide how an image is encoded. */
export function encodingOf({
  format,
  chromaSubsampling,
  isProgressive,
  bitsPerSample,
  density,
  resolutionUnit,
}: Metadata): ImageEncoding {
  return {
    format,
    isProgressive,
    ...(chromaSubsampling ? { chromaSubsampling } : {}),
    ...(bitsPerSample ? { bitsPerSample } : {}),
    ...(density ? { density } : {}),
    ...(resolutionUnit ? { resolutionUnit } : {}),
  };
}
