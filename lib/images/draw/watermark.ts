import {
  loadSharp,
  type OverlayOptions,
  type Sharp,
  translateVipsErrors,
} from "#lib/engines/image/open.ts";
import { placeInside, type Size } from "../plan/geometry.ts";
import { centerGravity, type Watermark } from "../plan/plan.ts";
import { openSource } from "./open-source.ts";

/**
 * The watermark of a picture of this size, in a worker: its image scaled, with its opacity, and its
 * place. Undefined if it is outside of the picture.
 */
export async function createWatermark(
  path: string,
  watermark: Watermark,
  picture: Size,
  dprScale: number,
): Promise<OverlayOptions | undefined> {
  const sharp = await loadSharp();
  const source = await openSource(path);
  let image = (await source.open()).autoOrient().ensureAlpha();
  if (watermark.scale > 0) {
    const width = Math.max(1, Math.round(picture.width * watermark.scale));
    const height = Math.max(1, Math.round(picture.height * watermark.scale));
    image = image.resize({ width, height, fit: "inside" });
  }
  const computed = image.toColorspace("srgb").raw().toBuffer({ resolveWithObject: true });
  const { data, info } = await translateVipsErrors(computed);
  for (let at = info.channels - 1; at < data.length; at += info.channels) {
    data[at] = Math.round((data[at] ?? 0) * watermark.opacity);
  }
  const raw = { width: info.width, height: info.height, channels: info.channels };
  if (watermark.position === "re") {
    return repeat(sharp(data, { raw }), raw, watermark, picture, dprScale);
  }
  const gravity = { ...centerGravity, type: watermark.position, x: watermark.x, y: watermark.y };
  const { left, top } = placeInside(picture, raw, gravity, dprScale, true);
  const part = {
    left: Math.max(0, -left),
    top: Math.max(0, -top),
    width: Math.min(raw.width + Math.min(0, left), picture.width - Math.max(0, left)),
    height: Math.min(raw.height + Math.min(0, top), picture.height - Math.max(0, top)),
  };
  if (part.width <= 0 || part.height <= 0) return undefined;
  const input = await sharp(data, { raw }).extract(part).png({ compressionLevel: 0 }).toBuffer();
  return { input, left: Math.max(0, left), top: Math.max(0, top) };
}

/** The watermark again and again, from the center of the picture outwards, with its offsets as gaps. */
async function repeat(
  image: Sharp,
  size: Size,
  { x, y }: Watermark,
  picture: Size,
  dprScale: number,
): Promise<OverlayOptions> {
  const sharp = await loadSharp();
  const gap = (offset: number, side: number) =>
    Math.max(0, Math.round(Math.abs(offset) >= 1 ? offset * dprScale : offset * side));
  const gapX = gap(x, picture.width);
  const gapY = gap(y, picture.height);
  const half = (value: number) => Math.trunc(value / 2);
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const tile = image.extend({
    left: half(gapX),
    right: gapX - half(gapX),
    top: half(gapY),
    bottom: gapY - half(gapY),
    background,
  });
  const tileSize = { width: size.width + gapX, height: size.height + gapY };
  // The first tile is centered, and the others are around it.
  const before = (side: number, whole: number) => {
    const start = half(whole - side);
    return start > 0 ? start - side * Math.ceil(start / side) : start;
  };
  const tiles = await tile.png({ compressionLevel: 0 }).toBuffer();
  const left = before(tileSize.width, picture.width);
  const top = before(tileSize.height, picture.height);
  const full = { width: picture.width - left, height: picture.height - top };
  const input = await sharp({ create: { ...full, channels: 4, background } })
    .composite([{ input: tiles, tile: true, left: 0, top: 0 }])
    .png({ compressionLevel: 0 })
    .toBuffer();
  const cropped = await sharp(input)
    .extract({ left: -left, top: -top, ...picture })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { input: cropped, left: 0, top: 0 };
}
