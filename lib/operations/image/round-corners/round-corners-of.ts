import type { Box } from "#lib/engines/image/box.ts";
import { type FramePixels, replacePixels } from "#lib/engines/image/frames.ts";
import type { SourceImage } from "#lib/engines/image/open.ts";
import { writeWithoutPreviews } from "#lib/engines/image/remove-previews.ts";
import { type SavedImage, saveUpright } from "#lib/engines/image/save.ts";
import { createSamples, readUpright } from "#lib/engines/image/upright.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { offsetIn } from "../../fields/index.ts";
import { maskCorners } from "./mask-corners.ts";

interface Rounding {
  /** The radius in pixels, or as a share of the shorter side such as `10%`. */
  readonly radius?: number | string | undefined;
  readonly circle: boolean;
}

/** The frames of `source`, upright and as RGBA, with transparent corners. CMYK becomes sRGB. */
export async function roundCornersOf(
  source: SourceImage,
  { radius = 0, circle }: Rounding,
): Promise<FramePixels> {
  const pixels = await readUpright(source, { alpha: true });
  const side = Math.min(pixels.width, pixels.height);
  const square = { width: side, height: side };
  const cut = circle
    ? cutFrames(pixels, { ...offsetIn(pixels, square, "center"), ...square })
    : pixels;
  maskCorners(cut, circle ? side / 2 : toPixels(radius, side));
  return cut;
}

function toPixels(radius: number | string, side: number): number {
  const value = Number.parseFloat(String(radius));
  const pixels = String(radius).endsWith("%") ? (value / 100) * side : value;
  return Math.min(pixels, side / 2);
}

/** Cuts `box` out of each frame. */
function cutFrames(pixels: FramePixels, box: Box): FramePixels {
  const { width, height, pages, channels, samples } = pixels;
  const cut = createSamples(samples, box.width * box.height * pages * channels);
  const rowLength = box.width * channels;
  for (let row = 0; row < pages * box.height; row++) {
    const page = Math.floor(row / box.height);
    const y = page * height + box.top + (row % box.height);
    const start = (y * width + box.left) * channels;
    cut.set(samples.subarray(start, start + rowLength), row * rowLength);
  }
  return { ...pixels, width: box.width, height: box.height, samples: cut };
}

/**
 * Writes RGBA frames in the format of `source`, with its metadata, or if that has no partial
 * transparency in the format of `output`, PNG or WebP, without loss.
 */
export async function saveTransparent(
  source: SourceImage,
  pixels: FramePixels,
  output: WorkFile,
): Promise<SavedImage> {
  if (source.space !== "cmyk" && ["png", "webp", "heif"].includes(source.metadata.format)) {
    return saveUpright(source, replacePixels(source, pixels), output);
  }
  const isCmyk = source.space === "cmyk";
  const replaced = replacePixels(isCmyk ? { ...source, space: "srgb" } : source, pixels);
  if (isCmyk) replaced.withIccProfile("srgb");
  const encoded =
    output.extension === "png" ? replaced.png() : replaced.webp({ lossless: true, exact: true });
  await writeWithoutPreviews(encoded, output.path, source.metadata);
  return { ...output, width: pixels.width, height: pixels.height };
}
