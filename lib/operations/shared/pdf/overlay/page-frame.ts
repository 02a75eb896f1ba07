import type { PdfFile } from "#lib/formats/pdf/objects/file.ts";
import type { PdfDict } from "#lib/formats/pdf/objects/values.ts";

/** The visible part of a page as a viewer shows it, upright. Lengths are in points. */
export interface PageFrame {
  readonly width: number;
  readonly height: number;
  /**
   * The matrix from upright coordinates with the origin at the bottom left, to those of the page.
   */
  readonly matrix: readonly number[];
}

/** The box of US Letter, which viewers take for a page without a valid size. */
const fallback: readonly number[] = [0, 0, 612, 792];

/** The frame of a page, whose attributes are not inherited. */
export function frameOf(file: PdfFile, page: PdfDict): PageFrame {
  const media = readBox(file, page["/MediaBox"]) ?? fallback;
  const crop = readBox(file, page["/CropBox"]) ?? media;
  const [left = 0, bottom = 0, right = 0, top = 0] = intersect(media, crop) ?? media;
  const width = right - left;
  const height = top - bottom;
  const rotation = file.resolve(page["/Rotate"]);
  const quarters = typeof rotation === "number" ? Math.round(rotation / 90) : 0;
  switch (((quarters % 4) + 4) % 4) {
    case 1:
      return { width: height, height: width, matrix: [0, 1, -1, 0, right, bottom] };
    case 2:
      return { width, height, matrix: [-1, 0, 0, -1, right, top] };
    case 3:
      return { width: height, height: width, matrix: [0, -1, 1, 0, left, top] };
    default:
      return { width, height, matrix: [1, 0, 0, 1, left, bottom] };
  }
}

/** Its corners may be in any order. Undefined if it is no box, or has no area. */
function readBox(file: PdfFile, value: PdfDict[`/${string}`] | undefined): number[] | undefined {
  const sides = file.array(value).map((side) => file.resolve(side));
  const [a, b, c, d] = sides.map((side) => (typeof side === "number" ? side : Number.NaN));
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  const box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return hasArea(box) ? box : undefined;
}

function intersect(one: readonly number[], other: readonly number[]): number[] | undefined {
  const box = one.map((side, index) => {
    const limit = other[index] ?? side;
    return index < 2 ? Math.max(side, limit) : Math.min(side, limit);
  });
  return hasArea(box) ? box : undefined;
}

function hasArea([left = 0, bottom = 0, right = 0, top = 0]: readonly number[]): boolean {
  return right - left > 0.1 && top - bottom > 0.1;
}
