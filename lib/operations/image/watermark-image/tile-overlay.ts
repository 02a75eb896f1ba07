import type { Overlay } from "../../shared/image/composite.ts";

/** The distance between two tiles as a share of the tile's shorter side. */
const gapShare = 0.5;

/**
 * An overlay of the whole image with `tile` repeated, one of them in the center. Every second row is
 * moved by half a tile.
 */
export function tileOverlay(
  tile: Overlay,
  { width, height }: { readonly width: number; readonly height: number },
): Overlay {
  const data = Buffer.alloc(width * height * 4);
  const gap = Math.round(Math.min(tile.width, tile.height) * gapShare);
  const stepX = tile.width + gap;
  const stepY = tile.height + gap;
  const centerX = Math.floor((width - tile.width) / 2);
  const centerY = Math.floor((height - tile.height) / 2);
  const rows = Math.ceil((centerY + tile.height) / stepY);
  const columns = Math.ceil((centerX + tile.width) / stepX) + 1;
  for (let row = -rows; row <= rows; row++) {
    const shift = row % 2 === 0 ? 0 : Math.floor(stepX / 2);
    for (let column = -columns; column <= columns; column++) {
      copyTile(
        tile,
        { data, width, height },
        centerX + column * stepX + shift,
        centerY + row * stepY,
      );
    }
  }
  return { data, width, height };
}

/** Copies the part of `tile` that is inside of `target`. */
function copyTile(tile: Overlay, target: Overlay, left: number, top: number): void {
  const first = Math.max(0, -left);
  const last = Math.min(tile.width, target.width - left);
  if (last <= first) return;
  for (let y = Math.max(0, -top); y < Math.min(tile.height, target.height - top); y++) {
    const from = (y * tile.width + first) * 4;
    const to = ((top + y) * target.width + left + first) * 4;
    tile.data.copy(target.data, to, from, from + (last - first) * 4);
  }
}
