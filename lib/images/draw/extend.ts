import { loadSharp } from "#lib/engines/image/open.ts";
import type { Geometry } from "../plan/geometry.ts";
import type { ImagePlan, RgbColor } from "../plan/plan.ts";
import { blur } from "./filters/apply-filters.ts";
import { type Canvas, settle } from "./pixels/canvas.ts";
import { readSamples, toColors } from "./pixels/samples.ts";

/** Extends a picture to its size, in a worker. */

export const white: RgbColor = { r: 255, g: 255, b: 255 };
const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

/** thumbor's radius. */
const blurRadius = 50;

interface ExtendSettings {
  readonly plan: ImagePlan;
  readonly flattens: boolean;
}

export async function extend(
  canvas: Canvas,
  geometry: Geometry,
  { plan, flattens }: ExtendSettings,
): Promise<Canvas> {
  const fill = plan.filters.find((filter) => filter.name === "fill");
  // A filter may have rotated the picture.
  const width = Math.max(geometry.canvas.width, canvas.width);
  const height = Math.max(geometry.canvas.height, canvas.height);
  if (width === canvas.width && height === canvas.height) return canvas;
  // thumbor rounds down, imgproxy to even.
  const left = fill ? Math.floor((width - canvas.width) / 2) : geometry.offset.left;
  const top = fill ? Math.floor((height - canvas.height) / 2) : geometry.offset.top;
  if (fill?.by === "blur") return surroundWithBlur(canvas, { left, top, width, height });
  // sharp extends before it filters.
  const isFiltered = plan.blur > 0 || plan.sharpen > 0;
  const { image } = isFiltered ? await settle(canvas) : canvas;
  const color = fill?.by === "average" ? await averageColor(canvas) : (plan.background ?? white);
  const isColored = flattens || fill?.by === "average";
  const extended = (flattens ? image : image.ensureAlpha()).extend({
    left,
    top,
    right: width - canvas.width - left,
    bottom: height - canvas.height - top,
    background: isColored ? { ...color, alpha: 1 } : transparent,
  });
  return { image: extended, width, height };
}

async function averageColor(canvas: Canvas): Promise<RgbColor> {
  const { data, channels } = toColors(await readSamples(canvas.image.clone()));
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at += channels) {
    for (let channel = 0; channel < 3; channel++) {
      sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0);
    }
  }
  const [r = 0, g = 0, b = 0] = sums.map((sum) => Math.trunc(sum / (data.length / channels)));
  return { r, g, b };
}

/** The picture over itself, stretched and blurred. */
async function surroundWithBlur(
  canvas: Canvas,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): Promise<Canvas> {
  const sharp = await loadSharp();
  const { data, ...raw } = await readSamples(canvas.image);
  const blurred = await readSamples(blur(sharp(data, { raw }), blurRadius, blurRadius));
  const { data: behind, ...behindRaw } = blurred;
  const stretched = sharp(behind, { raw: behindRaw }).resize({ width, height, fit: "fill" });
  const image = stretched.composite([{ input: data, raw, left, top }]);
  const isOpaque = raw.channels === 1 || raw.channels === 3;
  return { image: isOpaque ? image.removeAlpha() : image, width, height };
}
