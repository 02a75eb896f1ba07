import type { PageBox } from "#lib/formats/pdf/structure/page-boxes.ts";
import { parseColor } from "#lib/media/color.ts";

/** The pixels of a picture, with three bytes each. */
export function parsePpm(bytes: Buffer): { pixels: Buffer; width: number; height: number } {
  const [header = "", width, height] =
    /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString("latin1", 0, 60)) ?? [];
  return { pixels: bytes.subarray(header.length), width: Number(width), height: Number(height) };
}

/** Fills boxes, which are in points from the top left of the page, in a picture of the page. */
export function paintBoxes(
  pixels: Buffer,
  width: number,
  boxes: readonly PageBox[],
  scaleX: number,
  scaleY: number,
  color: string,
): void {
  const { red, green, blue } = parseColor(color);
  const height = pixels.length / (3 * width);
  for (const box of boxes) {
    const left = Math.max(0, Math.floor(box.left * scaleX));
    const top = Math.max(0, Math.floor(box.top * scaleY));
    const right = Math.min(width, Math.ceil((box.left + box.width) * scaleX));
    const bottom = Math.min(height, Math.ceil((box.top + box.height) * scaleY));
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) pixels.set([red, green, blue], 3 * (y * width + x));
    }
  }
}
