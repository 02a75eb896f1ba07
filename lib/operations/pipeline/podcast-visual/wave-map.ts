import type { Size, WaveStyle } from "./scene.ts";

/**
 * Maps that bend a drawing of audio to the shape of a style, with ffmpeg's `remap`: for each pixel of the
 * output the column and row of the drawing from which it is taken.
 */

/** The spectrum: a column for each frequency up to 8 kHz, filled from the bottom by its level. */
export const spectrum = { width: 256, height: 512 } as const;

/** The maps are so much finer than the video, so that edges become smooth. */
export const oversampling = 2;

export interface WaveMap extends Size {
  readonly columns: Uint16Array;
  readonly rows: Uint16Array;
}

/** The value that stands for no pixel of a drawing. */
const nothing = 0xffff;

/** The lowest frequency in Hz. Speech and most of music are between it and the highest one. */
const lowest = 120;
const highest = 6400;

/** The share of a column's height that noise fills, and the one that loud audio reaches. */
const floor = 0.46;
const ceiling = 0.82;

/** Maps a wave; `size` is that of the area in the video, `drawing` that of what is bent. */
export function mapWave(style: WaveStyle, size: Size, drawing: Size): WaveMap {
  const width = size.width * oversampling;
  const height = size.height * oversampling;
  const map = {
    width,
    height,
    columns: new Uint16Array(width * height).fill(nothing),
    rows: new Uint16Array(width * height).fill(nothing),
  };
  const find = { bars: barsIn, circle: circleIn, line: lineIn }[style](map, drawing);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const found = find(x + 0.5, y + 0.5);
      if (!found) continue;
      map.columns[y * width + x] = found.column;
      map.rows[y * width + x] = found.row;
    }
  }
  return map;
}

interface Pixel {
  readonly column: number;
  readonly row: number;
}

type Find = (x: number, y: number) => Pixel | undefined;

/** The pixel that is filled if the frequency at `position`, 0 to 1, reaches `level`, 0 to 1. */
function spectrumPixel(position: number, level: number): Pixel {
  const frequency = lowest * (highest / lowest) ** position;
  const column = Math.min(spectrum.width - 1, Math.round((frequency / 8000) * spectrum.width));
  const filled = level <= 0 ? 0 : floor + Math.min(1, level) * (ceiling - floor);
  return { column, row: Math.round((1 - filled) * (spectrum.height - 1)) };
}

/**
 * How far a bar with round ends must reach so that it covers a pixel which is `along` from its start and
 * `aside` from its axis. Undefined if no length covers it.
 */
function requiredLength(along: number, aside: number, halfWidth: number): number | undefined {
  if (aside > halfWidth) return undefined;
  return along + halfWidth - Math.sqrt(halfWidth ** 2 - aside ** 2);
}

/** Bars that grow up and down from the middle; low frequencies are in the middle. */
function barsIn({ width, height }: Size): Find {
  const count = 2 * Math.round(Math.min(72, Math.max(24, width / oversampling / 14)) / 2);
  const pitch = width / count;
  const halfWidth = pitch * 0.3;
  const reach = height / 2;
  return (x, y) => {
    const index = Math.min(count - 1, Math.floor(x / pitch));
    const aside = Math.abs(x - (index + 0.5) * pitch);
    const length = requiredLength(Math.abs(y - reach), aside, halfWidth);
    if (length === undefined || length > reach) return undefined;
    const position = Math.abs(index - (count - 1) / 2) / (count / 2);
    return spectrumPixel(position, (length - halfWidth) / (reach - halfWidth));
  };
}

/** The radius of the circle from which the bars start, as a share of its outer radius. */
const innerShare = 0.64;

function circleIn({ width }: Size): Find {
  const outer = width / 2;
  const inner = outer * innerShare;
  const count = 4 * Math.round(Math.min(144, Math.max(48, (2 * Math.PI * inner) / 28)) / 4);
  const step = (2 * Math.PI) / count;
  const halfWidth = inner * step * 0.29;
  return (x, y) => {
    const radius = Math.hypot(x - outer, y - outer);
    // Clockwise from the top, 0 to 2 π.
    const angle = (Math.atan2(x - outer, outer - y) + 2 * Math.PI) % (2 * Math.PI);
    const index = Math.min(count - 1, Math.floor(angle / step));
    const difference = angle - (index + 0.5) * step;
    const along = radius * Math.cos(difference) - inner - halfWidth;
    const aside = Math.abs(radius * Math.sin(difference));
    const length = requiredLength(Math.max(along, -along - 0.001), aside, halfWidth);
    if (length === undefined || (along < 0 && length > halfWidth)) return undefined;
    if (length > outer - inner) return undefined;
    // From low to high and back, twice.
    const position = Math.abs(((((index + 0.5) / count) * 4 + 1) % 2) - 1);
    return spectrumPixel(1 - position, (length - halfWidth) / (outer - inner - halfWidth));
  };
}

/** A line that rests at both ends. */
function lineIn({ width, height }: Size, drawing: Size): Find {
  const middle = height / 2;
  return (x, y) => {
    const fade = Math.sin((Math.PI * x) / width) ** 0.7;
    const row = Math.round(middle + (y - middle) / Math.max(0.02, fade));
    if (row < 0 || row >= drawing.height) return undefined;
    return { column: Math.min(drawing.width - 1, Math.floor(x)), row };
  };
}
