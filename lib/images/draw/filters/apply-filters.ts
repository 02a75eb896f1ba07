import { loadSharp } from "#lib/engines/image/open.ts";
import { overlayUrls, type PixelFilter } from "../../plan/pixel-filters.ts";
import type { Size } from "../../plan/size.ts";
import type { Canvas } from "../pixels/canvas.ts";
import { isOpaque, readSamples, type Samples, toColors, withAlpha } from "../pixels/samples.ts";
import { blur } from "./blur.ts";
import { changeColors } from "./color-filters.ts";
import { convolve } from "./convolve.ts";
import { fill, paintUnder } from "./fill.ts";
import { drawNinePatch } from "./nine-patch.ts";
import { pasteWatermark } from "./paste-watermark.ts";
import { redraw, scaleBy, upscale } from "./resize.ts";
import { roundCorners } from "./round-corners.ts";
import { sharpen } from "./sharpen.ts";

export interface FilterSettings {
  /** The size of the URL; 0 is that of the picture. */
  readonly requested: Size;
  /** The paths of the images that filters draw, in the order of `overlayUrls`. */
  readonly overlays: readonly string[];
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
  const urls = overlayUrls(filters);
  for (const filter of filters) {
    samples = await applyFilter(samples, filter, { ...settings, urls });
  }
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
  { requested, overlays, urls }: FilterSettings & { readonly urls: readonly string[] },
): Promise<Samples> {
  switch (filter.name) {
    case "convolution":
      return convolve(samples, filter);
    case "blur":
      return blur(samples, filter.radius, filter.sigma);
    case "sharpen":
      sharpen(samples, filter);
      return samples;
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
      const path = overlays[urls.indexOf(filter.url)];
      if (path) await pasteWatermark(marked, filter, path);
      return marked;
    }
    case "frame": {
      const path = overlays[urls.indexOf(filter.url)];
      return path ? drawNinePatch(samples, path) : samples;
    }
    case "proportion":
      return scaleBy(samples, filter.factor);
    case "upscale":
      return upscale(samples, requested);
    case "background_color":
      return paintUnder(samples, filter.color);
    case "fill":
      return fill(samples, filter, requested);
    default:
      changeColors(samples, filter);
      return samples;
  }
}
