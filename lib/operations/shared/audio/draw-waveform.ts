import { parseColor } from "#lib/media/color.ts";
import type { Peak } from "./measure-peaks.ts";

export interface WaveformStyle {
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
  readonly color: string;
  /** The background; transparent if undefined. */
  readonly background?: string | undefined;
}

/** Half of the height of a column of silence, in pixels. */
const minHalfHeight = 0.5;

/** Draws an SVG with one column for each pixel; full scale fills the height. */
export function drawWaveform(peaks: readonly Peak[], style: WaveformStyle): string {
  const { width, height, color, background } = style;
  const middle = height / 2;
  const toY = (sample: number) => middle - Math.min(1, Math.max(-1, sample)) * middle;
  const columns = Array.from({ length: width }, (_, x) => {
    const { min, max } = readColumn(peaks, x, width);
    const top = Math.max(0, Math.min(toY(max), middle - minHalfHeight));
    const bottom = Math.min(height, Math.max(toY(min), middle + minHalfHeight));
    return { x, top: round(top), bottom: round(bottom) };
  });
  const above = columns.map(({ x, top }) => `V${top}H${x + 1}`);
  const below = columns.toReversed().map(({ x, bottom }) => `V${bottom}H${x}`);
  const path = `M0 ${round(middle)}${above.join("")}${below.join("")}Z`;
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const fill =
    background === undefined
      ? ""
      : `<rect width="${width}" height="${height}" ${fillOf(background)}/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${fill}<path ${fillOf(color)} d="${path}"/></svg>\n`;
}

/** The extremes of the peaks that are shown in the column `x` of `width`. */
function readColumn(peaks: readonly Peak[], x: number, width: number): Peak {
  const first = Math.floor((x * peaks.length) / width);
  const end = Math.max(first + 1, Math.floor(((x + 1) * peaks.length) / width));
  const shown = peaks.slice(first, end);
  return {
    min: Math.min(...shown.map(({ min }) => min)),
    max: Math.max(...shown.map(({ max }) => max)),
  };
}

function fillOf(text: string): string {
  const { red, green, blue, alpha } = parseColor(text);
  return `fill="rgb(${red},${green},${blue})" fill-opacity="${round(alpha)}"`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
