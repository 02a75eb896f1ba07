import type { Operation } from "../definition.ts";
import { parameterSchemas } from "../parameter-schema.ts";

/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The size of the full output, from that of the output of a smaller copy. A side that is within the rounding of a
 * side of the input or of a parameter in pixels is that side; the other one follows from the ratio of the input if the
 * output has the same. All others are rounded.
 *
 * @param scale the side of the copy divided by that of the file
 */
export function fullSize(
  output: PixelSize,
  source: PixelSize,
  scale: number,
  operation: Pick<Operation, "params">,
  params: Readonly<Record<string, unknown>>,
): PixelSize {
  if (scale >= 1) return { width: output.width, height: output.height };
  const { properties } = parameterSchemas(operation.params);
  const known = [source.width, source.height];
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === "number" && properties[name]?.unit === "px") known.push(value);
  }
  const tolerance = 1.5 / scale;
  const snap = (side: number) => {
    const exact = side / scale;
    return known
      .filter((one) => Math.abs(one - exact) <= tolerance)
      .toSorted((one, other) => Math.abs(one - exact) - Math.abs(other - exact))[0];
  };
  const width = snap(output.width);
  const height = snap(output.height);
  const ratio = output.width / output.height;
  const followed = [source.width / source.height, source.height / source.width].find(
    (one) => Math.abs(one - ratio) <= ratio * (1.5 / Math.min(output.width, output.height)),
  );
  const rounded = (side: number) => Math.max(1, Math.round(side / scale));
  if (width !== undefined && height !== undefined) {
    const isBoth = followed !== undefined && Math.abs(width / height - followed) > followed * 0.01;
    // Two sides that are known, but of another ratio than the output, cannot both be right.
    if (!isBoth) return { width, height };
  }
  if (followed !== undefined && width !== undefined) {
    return { width, height: Math.max(1, Math.round(width / followed)) };
  }
  if (followed !== undefined && height !== undefined) {
    return { width: Math.max(1, Math.round(height * followed)), height };
  }
  return { width: width ?? rounded(output.width), height: height ?? rounded(output.height) };
}

/**
 * About how many bytes the full output has. An image of more pixels needs fewer bytes for each: `exponent` says how
 * the bytes of the file grow with its pixels.
 */
export function estimateBytes(
  bytes: number,
  output: PixelSize,
  full: PixelSize,
  exponent: number,
): number {
  const growth = (full.width * full.height) / (output.width * output.height);
  return Math.round(bytes * growth ** exponent);
}

/** How bytes grow with pixels, from two encodings of one image: 1 is in proportion. Photos have about 0.8. */
export function growthExponent(
  small: PixelSize & { readonly bytes: number },
  full: PixelSize & { readonly bytes: number },
): number {
  const pixels = (full.width * full.height) / (small.width * small.height);
  if (pixels <= 1.01) return 1;
  const exponent = Math.log(full.bytes / small.bytes) / Math.log(pixels);
  return Math.min(1.1, Math.max(0.4, exponent));
}
