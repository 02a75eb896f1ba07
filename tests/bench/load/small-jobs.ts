import sharp, { type Sharp } from "sharp";
import type { LoadPlan } from "./load.ts";
import { uploadAndWait } from "./requests.ts";

/** Noise in the style of a photo: it does not compress to nothing. */
export function makeNoise(width: number, height: number): Sharp {
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  return sharp({ create: { width, height, channels: 3, background: "#888", noise } });
}

/** The smallest useful job: `pipeline/file-inspect` of a PNG of 64×64 by upload, waiting for its end. */
export async function planInspection(service: {
  readonly url: string;
  readonly apiKey: string;
}): Promise<Omit<LoadPlan, "clients">> {
  const bytes = await makeNoise(64, 64).png().toBuffer();
  return uploadAndWait(service, "pipeline/file-inspect", { name: "small.png", bytes });
}

/** Plans `image/sharpen` of a JPEG by upload, waiting for its end. */
export async function planSharpening(
  service: { readonly url: string; readonly apiKey: string },
  width: number,
  height: number,
): Promise<Omit<LoadPlan, "clients">> {
  const bytes = await makeNoise(width, height).jpeg().toBuffer();
  return uploadAndWait(service, "image/sharpen", { name: "photo.jpg", bytes });
}
