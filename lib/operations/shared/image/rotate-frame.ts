import type { Rgba } from "#lib/media/color.ts";

/** Rotates the pixels of one frame by any angle. */

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** The samples as RGB or, with alpha, RGBA; not premultiplied; 8 or 16 bits a channel. */
  readonly samples: Uint8Array | Uint16Array;
  readonly hasAlpha: boolean;
}

/** Mirrors horizontally, then rotates clockwise. */
export interface Turn {
  readonly mirrored: boolean;
  readonly degrees: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of the canvas that holds a frame rotated by `degrees`. */
export function rotatedSize({ width, height }: Size, degrees: number): Size {
  const { cos, sin } = directionOf(degrees);
  const along = Math.abs(cos);
  const across = Math.abs(sin);
  return {
    width: Math.max(1, Math.round(width * along + height * across)),
    height: Math.max(1, Math.round(width * across + height * along)),
  };
}

/** The direction of an angle, which is exact for right angles, so that pixels only move. */
function directionOf(degrees: number): { cos: number; sin: number } {
  const quarters = (((degrees / 90) % 4) + 4) % 4;
  if (Number.isInteger(quarters)) {
    return { cos: [1, 0, -1, 0][quarters] ?? 1, sin: [0, 1, 0, -1][quarters] ?? 0 };
  }
  const radians = (degrees * Math.PI) / 180;
  return { cos: Math.cos(radians), sin: Math.sin(radians) };
}

/** The frame on its new canvas, whose corners have the background color. */
export function rotateFrame(frame: Frame, { mirrored, degrees }: Turn, background: Rgba): Frame {
  const { width: sourceWidth, height: sourceHeight, hasAlpha } = frame;
  const { width, height } = rotatedSize(frame, degrees);
  const { cos, sin } = directionOf(degrees);
  const channels = hasAlpha ? 4 : 3;
  const samples = createCanvas(frame, width * height * channels, background);
  const fill = samples.slice(0, channels);
  const stepX = mirrored ? -cos : cos;
  for (let y = 0, offset = 0; y < height; y++) {
    // The source position of the row's first pixel. Distances are between the centers of pixels.
    const right = 0.5 - width / 2;
    const down = y + 0.5 - height / 2;
    const across = right * cos + down * sin;
    const startX = (mirrored ? -across : across) + sourceWidth / 2 - 0.5;
    const startY = down * cos - right * sin + sourceHeight / 2 - 0.5;
    for (let x = 0; x < width; x++, offset += channels) {
      const sourceX = startX + x * stepX;
      const sourceY = startY - x * sin;
      const isOutside =
        sourceX <= -1 || sourceX >= sourceWidth || sourceY <= -1 || sourceY >= sourceHeight;
      if (!isOutside) interpolate(frame, sourceX, sourceY, fill, samples, offset);
    }
  }
  return { width, height, samples, hasAlpha };
}

/**
 * Writes the color between the four pixels around a position; pixels outside of the frame are `fill`.
 * Colors are weighted by their alpha, so that those of transparent pixels do not show at edges.
 */
function interpolate(
  { samples, width, height, hasAlpha }: Frame,
  x: number,
  y: number,
  fill: Frame["samples"],
  target: Frame["samples"],
  offset: number,
): void {
  const channels = hasAlpha ? 4 : 3;
  const left = Math.floor(x);
  const top = Math.floor(y);
  let red = 0;
  let green = 0;
  let blue = 0;
  let total = 0;
  for (let corner = 0; corner < 4; corner++) {
    const column = left + (corner & 1);
    const row = top + (corner >> 1);
    const weight = (1 - Math.abs(x - column)) * (1 - Math.abs(y - row));
    if (weight === 0) continue;
    const isInside = column >= 0 && row >= 0 && column < width && row < height;
    const pixels = isInside ? samples : fill;
    const at = isInside ? (row * width + column) * channels : 0;
    const opacity = hasAlpha ? weight * (pixels[at + 3] ?? 0) : weight;
    red += opacity * (pixels[at] ?? 0);
    green += opacity * (pixels[at + 1] ?? 0);
    blue += opacity * (pixels[at + 2] ?? 0);
    total += opacity;
  }
  const scale = total === 0 ? 0 : 1 / total;
  target[offset] = Math.round(red * scale);
  target[offset + 1] = Math.round(green * scale);
  target[offset + 2] = Math.round(blue * scale);
  if (hasAlpha) target[offset + 3] = Math.round(total);
}

/** Creates `length` samples of the frame's type, all of them background. */
function createCanvas(
  { samples, hasAlpha }: Frame,
  length: number,
  { red, green, blue, alpha }: Rgba,
): Frame["samples"] {
  const isWords = samples instanceof Uint16Array;
  const canvas = isWords ? new Uint16Array(length) : new Uint8Array(length);
  const scale = isWords ? 257 : 1;
  const colors = [red * scale, green * scale, blue * scale];
  canvas.set(hasAlpha ? [...colors, Math.round(alpha * 255 * scale)] : colors);
  for (let filled = colors.length + (hasAlpha ? 1 : 0); filled < length; filled *= 2) {
    canvas.copyWithin(filled, 0, Math.min(filled, length - filled));
  }
  return canvas;
}
