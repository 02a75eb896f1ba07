import { loadSharp, type Sharp } from "#lib/engines/image/open.ts";
import type { Size } from "../../plan/size.ts";
import { requireDrawable } from "../pixels/canvas.ts";
import { readSamples, type Samples } from "../pixels/samples.ts";

/** The pixels that sharp makes of the samples. */
export async function redraw(
  { data, ...raw }: Samples,
  draw: (image: Sharp) => Sharp,
): Promise<Samples> {
  const sharp = await loadSharp();
  return readSamples(draw(sharp(data, { raw })));
}

/** Throws `JobError` if the size has too many pixels. */
export async function resize(samples: Samples, size: Size): Promise<Samples> {
  if (size.width === samples.width && size.height === samples.height) return samples;
  requireDrawable(size);
  const { width, height } = size;
  return redraw(samples, (image) => image.resize({ width, height, fit: "fill" }));
}

/** As in thumbor, nothing is done if less than a pixel were left. */
export function scaleBy(samples: Samples, factor: number): Promise<Samples> {
  const width = Math.trunc(samples.width * factor);
  const height = Math.trunc(samples.height * factor);
  return width < 1 || height < 1 ? Promise.resolve(samples) : resize(samples, { width, height });
}

/** Enlarges a picture of which both sides are too short, until one of them is as long as requested. */
export function upscale(samples: Samples, requested: Size): Promise<Samples> {
  const { width, height } = samples;
  if (width >= requested.width || height >= requested.height) return Promise.resolve(samples);
  const size =
    width / requested.width >= height / requested.height
      ? {
          width: requested.width,
          height: Math.trunc((height * requested.width) / width),
        }
      : {
          width: Math.trunc((width * requested.height) / height),
          height: requested.height,
        };
  return resize(samples, { width: Math.max(1, size.width), height: Math.max(1, size.height) });
}
