import type { Samples } from "../pixels/samples.ts";
import { redraw } from "./resize.ts";

/** Blurs with thumbor's kernel: a Gaussian that is cut off at the radius. */
export function blur(samples: Samples, radius: number, sigma: number): Promise<Samples> {
  // Between the weights at the radius and at the next pixel.
  const edge = radius + 0.5;
  const amplitude = Math.exp(-(edge * edge) / (2 * sigma * sigma));
  return redraw(samples, (image) =>
    image.blur({
      sigma: Math.max(0.3, sigma),
      precision: "float",
      minAmplitude: Math.max(0.001, amplitude),
    }),
  );
}
