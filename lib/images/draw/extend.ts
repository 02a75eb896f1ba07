import type { Geometry } from "../plan/geometry.ts";
import type { ImagePlan, RgbColor } from "../plan/plan.ts";
import { type Canvas, settle } from "./pixels/canvas.ts";

/** Extends a picture to its size, in a worker. */

export const white: RgbColor = { r: 255, g: 255, b: 255 };
const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

interface ExtendSettings {
  readonly plan: ImagePlan;
  readonly flattens: boolean;
}

export async function extend(
  canvas: Canvas,
  geometry: Geometry,
  { plan, flattens }: ExtendSettings,
): Promise<Canvas> {
  const { width, height } = geometry.canvas;
  if (width === canvas.width && height === canvas.height) return canvas;
  const { left, top } = geometry.offset;
  // sharp extends before it filters.
  const isFiltered = plan.blur > 0 || plan.sharpen > 0;
  const { image } = isFiltered ? await settle(canvas) : canvas;
  const color = plan.background ?? white;
  const extended = (flattens ? image : image.ensureAlpha()).extend({
    left,
    top,
    right: width - canvas.width - left,
    bottom: height - canvas.height - top,
    background: flattens ? { ...color, alpha: 1 } : transparent,
  });
  return { image: extended, width, height };
}
