import type { PixelFilter, RgbaColor } from "../../plan/pixel-filters.ts";
import type { Size } from "../../plan/size.ts";
import { requireDrawable } from "../pixels/canvas.ts";
import { type Samples, withAlpha } from "../pixels/samples.ts";
import { blur } from "./blur.ts";
import { composite } from "./composite.ts";
import { resize } from "./resize.ts";

type Fill = Extract<PixelFilter, { name: "fill" }>;

/** thumbor's radius. */
const blurRadius = 50;

/**
 * The picture in the middle of one of the requested size, of which 0 is that of the picture. Throws `JobError` if it
 * has too many pixels.
 */
export async function fill(
  samples: Samples,
  { by, fillsTransparent }: Fill,
  requested: Size,
): Promise<Samples> {
  const size = {
    width: requested.width || samples.width,
    height: requested.height || samples.height,
  };
  requireDrawable(size);
  const picture = withAlpha(samples);
  const canvas =
    by === "blur"
      ? await stretchBlurred(picture, size)
      : createPlain(size, by === "average" ? averageColor(picture) : by);
  const left = Math.floor((size.width - picture.width) / 2);
  const top = Math.floor((size.height - picture.height) / 2);
  if (fillsTransparent) composite(canvas, picture, left, top);
  else replace(canvas, picture, left, top);
  return canvas;
}

/** The picture over a color. */
export function paintUnder(samples: Samples, color: RgbaColor): Samples {
  const canvas = createPlain(samples, color);
  composite(canvas, withAlpha(samples), 0, 0);
  return canvas;
}

export function createPlain({ width, height }: Size, color: RgbaColor): Samples {
  const data = Buffer.alloc(width * height * 4, Uint8Array.from(color));
  return { data, width, height, channels: 4 };
}

async function stretchBlurred(picture: Samples, size: Size): Promise<Samples> {
  return withAlpha(await resize(await blur(picture, blurRadius, blurRadius), size));
}

function averageColor({ data, channels }: Samples): RgbaColor {
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at += channels) {
    for (let channel = 0; channel < 3; channel++) {
      sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0);
    }
  }
  const [red = 0, green = 0, blue = 0] = sums.map((sum) =>
    Math.trunc(sum / (data.length / channels)),
  );
  return [red, green, blue, 255];
}

/** Copies the pixels of `picture` with their transparency, as far as they are on the canvas. Both have four channels. */
function replace(canvas: Samples, picture: Samples, left: number, top: number): void {
  const start = Math.max(0, -left);
  const end = Math.min(picture.width, canvas.width - left);
  for (let y = Math.max(0, -top); y < Math.min(picture.height, canvas.height - top); y++) {
    const from = y * picture.width;
    const to = ((top + y) * canvas.width + left + start) * 4;
    picture.data.copy(canvas.data, to, (from + start) * 4, (from + end) * 4);
  }
}
