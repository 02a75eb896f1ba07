import { z } from "zod";

/** The longest side of an output, in pixels. WebP can have no longer one. */
export const maxSide = 16_383;

/** A width or height of an output, in pixels. */
export function side(description: string, max: number = maxSide) {
  return z.number().int().min(1).max(max).meta({ description, unit: "px" });
}

/** A distance from an edge of an image, in pixels. */
export function edge(description: string) {
  return z.number().int().min(0).max(100_000).meta({ description, unit: "px" });
}

export const fits = ["cover", "contain", "fill", "inside", "outside"] as const;

export type Fit = (typeof fits)[number];

/** How a frame of another ratio fits into a given width and height. */
export function fit(initial: Fit) {
  return z.enum(fits).default(initial).meta({
    description:
      "How it fits width and height: cover (fills them, cut at the edges), contain (whole, with a border), fill (stretched), inside (whole, as large as fits) or outside (whole, at least as large).",
  });
}
