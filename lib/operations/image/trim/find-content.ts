import { type Box, fromStoredBox, toStoredBox } from "#lib/engines/image/box.ts";
import { type FramePixels, readableSpace, readPixels } from "#lib/engines/image/frames.ts";
import type { SourceImage } from "#lib/engines/image/open.ts";

/**
 * The smallest box of the displayed image with all pixels, of any frame, that differ by more than
 * `threshold` (of 255) from the pixel at the top left of their frame. Undefined if there are none.
 * Throws `JobError` if the image is damaged.
 */
export async function findContent(
  source: SourceImage,
  threshold: number,
): Promise<Box | undefined> {
  const pixels = await readPixels(source, source.pipeline(readableSpace(source)));
  const corner = toStoredBox(source, { left: 0, top: 0, width: 1, height: 1 });
  const hasAlpha = source.metadata.hasAlpha === true && pixels.channels === 4;
  const tolerance = source.depth === "ushort" ? threshold * 257 : threshold;
  let left = pixels.width;
  let top = pixels.height;
  let right = -1;
  let bottom = -1;
  for (let page = 0; page < pixels.pages; page++) {
    const isBorder = createComparison(pixels, page, corner, hasAlpha, tolerance);
    for (let y = 0; y < pixels.height; y++) {
      let x = 0;
      while (x < pixels.width && isBorder(x, y)) x++;
      if (x === pixels.width) continue;
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      left = Math.min(left, x);
      let last = pixels.width - 1;
      while (last > right && isBorder(last, y)) last--;
      right = Math.max(right, last);
    }
  }
  if (right < 0) return undefined;
  const box = { left, top, width: right - left + 1, height: bottom - top + 1 };
  return fromStoredBox(source, box);
}

/** Whether a pixel of the frame `page` is like that at `corner`. */
function createComparison(
  { samples, width, height, channels }: FramePixels,
  page: number,
  corner: { readonly left: number; readonly top: number },
  hasAlpha: boolean,
  tolerance: number,
): (x: number, y: number) => boolean {
  const first = page * height * width * channels;
  const reference = first + (corner.top * width + corner.left) * channels;
  const color = Array.from(samples.subarray(reference, reference + channels));
  const isClear = hasAlpha && color[3] === 0;
  return (x, y) => {
    const start = first + (y * width + x) * channels;
    // The color of transparent pixels is not displayed.
    if (isClear && samples[start + 3] === 0) return true;
    for (let channel = 0; channel < channels; channel++) {
      const difference = (samples[start + channel] ?? 0) - (color[channel] ?? 0);
      if (difference > tolerance || difference < -tolerance) return false;
    }
    return true;
  };
}
