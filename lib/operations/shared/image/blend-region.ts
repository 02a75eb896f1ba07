/** Pixels row by row, 8 or 16 bits per channel. Alpha is the last channel and not premultiplied. */
export interface Samples {
  readonly samples: Uint8Array | Uint16Array;
  readonly channels: number;
  readonly hasAlpha: boolean;
}

interface OverlayPixels {
  /** The `channels` values of each pixel, 0 to 255. */
  readonly colors: Uint8Array;
  readonly channels: number;
  /** The overlay as RGBA; only its alpha channel is used. */
  readonly alpha: Uint8Array;
}

/**
 * The changes to `region` when `overlay` is blended over it (Porter and Duff's "over", in the gamma
 * of the image), as the XOR of the old and the new bits. The region contains the same box of each
 * frame, one below the other; the overlay is one box. The result has the channels of the overlay
 * and alpha.
 */
export function blendRegion(
  region: Samples,
  overlay: OverlayPixels,
  binaryAlpha: boolean,
): Samples {
  const { samples, hasAlpha } = region;
  const is16Bit = samples instanceof Uint16Array;
  const max = is16Bit ? 65_535 : 255;
  const channels = overlay.channels + (hasAlpha ? 1 : 0);
  const pixels = samples.length / region.channels;
  const overlayPixels = overlay.alpha.length / 4;
  const length = pixels * channels;
  const changes = is16Bit ? new Uint16Array(length) : new Uint8Array(length);
  const opaqueFrom = binaryAlpha ? maxAlpha(overlay.alpha) / 2 : Number.POSITIVE_INFINITY;
  for (let pixel = 0; pixel < pixels; pixel++) {
    const overlayPixel = pixel % overlayPixels;
    const overlayAlpha = overlay.alpha[overlayPixel * 4 + 3] ?? 0;
    if (overlayAlpha === 0) continue;
    const from = pixel * region.channels;
    const to = pixel * channels;
    const oldAlpha = hasAlpha ? (samples[from + region.channels - 1] ?? 0) : max;
    if (binaryAlpha && oldAlpha === 0 && overlayAlpha < opaqueFrom) continue;
    const over = binaryAlpha && oldAlpha === 0 ? 1 : overlayAlpha / 255;
    const under = (oldAlpha / max) * (1 - over);
    for (let channel = 0; channel < overlay.channels; channel++) {
      const color = ((overlay.colors[overlayPixel * overlay.channels + channel] ?? 0) * max) / 255;
      const before = samples[from + channel] ?? 0;
      const after = Math.round((color * over + before * under) / (over + under));
      changes[to + channel] = before ^ after;
    }
    if (hasAlpha) changes[to + channels - 1] = oldAlpha ^ Math.round((over + under) * max);
  }
  return { samples: changes, channels, hasAlpha };
}

function maxAlpha(rgba: Uint8Array): number {
  let max = 0;
  for (let index = 3; index < rgba.length; index += 4) max = Math.max(max, rgba[index] ?? 0);
  return max;
}
