/** Pixels in rows, 8 or 16 bits a channel; alpha, if any, is the last channel and not premultiplied. */
export interface Samples {
  readonly samples: Uint8Array | Uint16Array;
  readonly channels: number;
  readonly hasAlpha: boolean;
}

interface Ink {
  /** `channels` colours a pixel, 0 to 255. */
  readonly colors: Uint8Array;
  readonly channels: number;
  /** RGBA, of which the alpha counts. */
  readonly alpha: Uint8Array;
}

/**
 * What changes in `patch`, bit by bit, when `ink` is laid over it (Porter and Duff's "over", in the
 * image's own gamma): old exclusive-or new. The patch holds the same box of each frame, one under
 * the other; `ink` is one box. The result has the ink's channels and then alpha.
 */
export function blendPatch(patch: Samples, ink: Ink, binaryAlpha: boolean): Samples {
  const { samples, hasAlpha } = patch;
  const words = samples instanceof Uint16Array;
  const most = words ? 65_535 : 255;
  const channels = ink.channels + (hasAlpha ? 1 : 0);
  const pixels = samples.length / patch.channels;
  const inkPixels = ink.alpha.length / 4;
  const changes = words ? new Uint16Array(pixels * channels) : new Uint8Array(pixels * channels);
  const solidFrom = binaryAlpha ? strongest(ink.alpha) / 2 : Number.POSITIVE_INFINITY;
  for (let pixel = 0; pixel < pixels; pixel++) {
    const inkPixel = pixel % inkPixels;
    const inkAlpha = ink.alpha[inkPixel * 4 + 3] ?? 0;
    if (inkAlpha === 0) continue;
    const from = pixel * patch.channels;
    const to = pixel * channels;
    const oldAlpha = hasAlpha ? (samples[from + patch.channels - 1] ?? 0) : most;
    if (binaryAlpha && oldAlpha === 0 && inkAlpha < solidFrom) continue;
    const over = binaryAlpha && oldAlpha === 0 ? 1 : inkAlpha / 255;
    const under = (oldAlpha / most) * (1 - over);
    for (let channel = 0; channel < ink.channels; channel++) {
      const color = ((ink.colors[inkPixel * ink.channels + channel] ?? 0) * most) / 255;
      const before = samples[from + channel] ?? 0;
      const after = Math.round((color * over + before * under) / (over + under));
      changes[to + channel] = before ^ after;
    }
    if (hasAlpha) changes[to + channels - 1] = oldAlpha ^ Math.round((over + under) * most);
  }
  return { samples: changes, channels, hasAlpha };
}

function strongest(rgba: Uint8Array): number {
  let most = 0;
  for (let index = 3; index < rgba.length; index += 4) most = Math.max(most, rgba[index] ?? 0);
  return most;
}
