/** A rectangle in the coordinates of the page's content: the lower left and upper right corner. */
export type Corners = readonly [x0: number, y0: number, x1: number, y1: number];

/** The most points of a unit that a page may declare: it is at most this many times as large as without it. */
export const maxUnit = 1000;

/** The box of US Letter, which viewers take for a page without a valid size. */
const fallback: Corners = [0, 0, 612, 792];

/** The corners in order, from any two opposite ones. Undefined if they are not four numbers, or have no area. */
export function toCorners(numbers: readonly (number | undefined)[]): Corners | undefined {
  const [a = Number.NaN, b = Number.NaN, c = Number.NaN, d = Number.NaN] = numbers;
  const corners = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)] as const;
  return hasArea(corners) ? corners : undefined;
}

/** The media box of a page, of which one that is missing or empty is replaced. */
export const mediaBox = (media: Corners | undefined): Corners => media ?? fallback;

/** The part of the media box that viewers show (ISO 32000-1, 14.11.2). */
export function visibleBox(media: Corners | undefined, crop: Corners | undefined): Corners {
  const whole = mediaBox(media);
  if (!crop) return whole;
  const shared = [
    Math.max(whole[0], crop[0]),
    Math.max(whole[1], crop[1]),
    Math.min(whole[2], crop[2]),
    Math.min(whole[3], crop[3]),
  ] as const;
  return hasArea(shared) ? shared : whole;
}

function hasArea([left, bottom, right, top]: Corners): boolean {
  return right - left > 0.1 && top - bottom > 0.1;
}
