import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";

/** Lengths of the shorter side, in pixels. */
const steps = [1080, 720, 480, 360, 240, 144];

const maxRenditions = 4;

/** Even heights in pixels, without repetitions; undefined if the text is no such list. */
export function parseHeights(text: string): number[] | undefined {
  if (!/^\d{2,4}(?:\s?,\s?\d{2,4}){0,7}$/.test(text)) return undefined;
  const heights = [...new Set(text.split(",").map(Number))];
  const isValid = (height: number) => height >= 64 && height <= 2160 && height % 2 === 0;
  return heights.every(isValid) ? heights : undefined;
}

/** The frames of the renditions, the largest first, with even sides, none larger than `frame`. */
export function chooseLadder(frame: Frame, heights: readonly number[] | undefined): Frame[] {
  const wanted = heights ?? defaultHeights(frame);
  const fitting = wanted.filter((height) => height <= frame.height + 1);
  const chosen = fitting.length > 0 ? fitting : [frame.height];
  const even = (side: number) => Math.max(2, Math.round(side / 2) * 2);
  return chosen
    .toSorted((a, b) => b - a)
    .map((height) => ({
      width: even((height * frame.width) / frame.height),
      height: even(height),
    }));
}

function defaultHeights({ width, height }: Frame): number[] {
  const short = Math.min(width, height);
  const [first = 1080, ...others] = steps;
  const top = Math.min(short, first);
  // A rendition that is hardly smaller than the next is of no use.
  const below = [...others].filter((step) => step <= top * 0.8);
  const sides = [top, ...below].slice(0, maxRenditions);
  return sides.map((side) => Math.round((side * height) / short / 2) * 2);
}
