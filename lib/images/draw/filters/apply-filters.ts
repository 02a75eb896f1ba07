import { loadSharp, type Sharp } from "#lib/engines/image/open.ts";
import { type PixelFilter, watermarkUrls } from "../../plan/pixel-filters.ts";
import type { Canvas } from "../pixels/canvas.ts";
import { isOpaque, readSamples, type Samples, toColors, withAlpha } from "../pixels/samples.ts";
import { changeColors } from "./color-filters.ts";
import { convolve } from "./convolve.ts";
import { pasteWatermark } from "./paste-watermark.ts";
import { roundCorners } from "./round-corners.ts";

export interface FilterSettings {
  /** All filters of the plan. */
  readonly filters: readonly PixelFilter[];
  /** The paths of the watermarks, in the order of `watermarkUrls`. */
  readonly watermarks: readonly string[];
  /** Whether the format of the picture has no transparency. */
  readonly lacksAlpha: boolean;
}

/** Applies filters in their order, in a worker. Throws `JobError`. */
export async function applyFilters(
  canvas: Canvas,
  filters: readonly PixelFilter[],
  settings: FilterSettings,
): Promise<Canvas> {
  if (filters.length === 0) return canvas;
  const sharp = await loadSharp();
  let samples = toColors(await readSamples(canvas.image));
  const hadAlpha = samples.channels === 4;
  for (const filter of filters) samples = await applyFilter(samples, filter, settings);
  const { data, ...raw } = samples;
  const { width, height, channels } = samples;
  const image = sharp(data, { raw });
  // As with thumbor, a format without transparency shows the colors that transparent pixels have.
  const dropsAlpha = channels === 4 && (settings.lacksAlpha || (!hadAlpha && isOpaque(samples)));
  return { image: dropsAlpha ? image.removeAlpha() : image, width, height };
}

async function applyFilter(
  samples: Samples,
  filter: PixelFilter,
  { filters, watermarks }: FilterSettings,
): Promise<Samples> {
  switch (filter.name) {
    case "convolution":
      return convolve(samples, filter);
    case "blur":
      return redraw(samples, (image) => blur(image, filter.radius, filter.sigma));
    case "sharpen":
      return redraw(samples, (image) => image.sharpen({ sigma: filter.sigma }));
    case "flip":
      return redraw(samples, (image) => image.flop(filter.horizontal).flip(filter.vertical));
    case "rotate":
      return redraw(samples, (image) => image.rotate(filter.angle));
    case "round_corner": {
      const cut = filter.transparent ? withAlpha(samples) : samples;
      roundCorners(cut, filter);
      return cut;
    }
    case "watermark": {
      const marked = withAlpha(samples);
      const path = watermarks[watermarkUrls(filters).indexOf(filter.url)];
      if (path) await pasteWatermark(marked, filter, path);
      return marked;
    }
    case "fill":
      return samples;
    default:
      changeColors(samples, filter);
      return samples;
  }
}

async function redraw({ data, ...raw }: Samples, draw: (image: Sharp) => Sharp): Promise<Samples> {
  const sharp = await loadSharp();
  return readSamples(draw(sharp(data, { raw })));
}

/** Blurs with thumbor's kernel: a Gaussian that is cut off at the radius. */
export function blur(image: Sharp, radius: number, sigma: number): Sharp {
  // Between the weights at the radius and at the next pixel.
  const edge = radius + 0.5;
  const amplitude = Math.exp(-(edge * edge) / (2 * sigma * sigma));
  return image.blur({
    sigma: Math.max(0.3, sigma),
    precision: "float",
    minAmplitude: Math.max(0.001, amplitude),
  });
}
