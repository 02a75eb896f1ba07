import type { FramePixels } from "#lib/engines/image/frames.ts";
import type { Sharp, SourceImage } from "#lib/engines/image/open.ts";
import { readUpright, writeUpright } from "#lib/engines/image/upright.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { toColor } from "../../shared/image/image-color.ts";
import { buildColorMatrix, type ColorMatrix, type ColorSettings } from "./color-matrix.ts";
import { buildTones, findRange, type ToneSettings, type Tones } from "./tones.ts";

/** The parameters. Applied are normalize, brightness and contrast, then colors, negate and gamma. */
export type Adjustment = ColorSettings & ToneSettings & { readonly normalize: boolean };

export function isUnchanged({ brightness, contrast, gamma, negate, ...rest }: Adjustment): boolean {
  const keepsTones = brightness === 1 && contrast === 1 && gamma === 1 && !negate;
  return keepsTones && !rest.normalize && buildColorMatrix(rest) === undefined;
}

/**
 * A pipeline of `source`, upright, with adjusted colors. It keeps depth, color space, profile, alpha and
 * all frames. A gray image without a profile becomes RGB if it is tinted.
 */
export async function adjustImage(
  source: SourceImage,
  adjustment: Adjustment,
  work: WorkFolder,
): Promise<Sharp> {
  const pixels = await readUpright(source);
  const range = adjustment.normalize ? findRange(pixels) : undefined;
  const depth = pixels.samples instanceof Uint16Array ? 65_536 : 256;
  applyTones(pixels, buildTones(adjustment, depth, range), buildColorMatrix(adjustment));
  return writeUpright(adjustment.sepia > 0 ? toColor(source) : source, pixels, work);
}

/** Changes RGB or RGBA pixels in place; alpha stays. */
function applyTones(
  { samples, channels }: FramePixels,
  { before, after }: Tones,
  matrix: ColorMatrix | undefined,
): void {
  const last = after.length - 1;
  const toLevel = (value: number) => after[Math.round(Math.min(1, Math.max(0, value)) * last)] ?? 0;
  const [rr, rg, rb, gr, gg, gb, br, bg, bb] = matrix ?? [1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (let at = 0; at + 2 < samples.length; at += channels) {
    const red = before[samples[at] ?? 0] ?? 0;
    const green = before[samples[at + 1] ?? 0] ?? 0;
    const blue = before[samples[at + 2] ?? 0] ?? 0;
    samples[at] = toLevel(rr * red + rg * green + rb * blue);
    samples[at + 1] = toLevel(gr * red + gg * green + gb * blue);
    samples[at + 2] = toLevel(br * red + bg * green + bb * blue);
  }
}
