import type { PdfFile } from "#lib/formats/pdf/objects/file.ts";
import type { PdfDict } from "#lib/formats/pdf/objects/values.ts";
import {
  type Corners,
  maxUnit,
  toCorners,
  visibleBox,
} from "#lib/formats/pdf/structure/corners.ts";

/** The visible part of a page as a viewer shows it, upright. Lengths are in points. */
export interface PageFrame {
  readonly width: number;
  readonly height: number;
  /**
   * The matrix from upright coordinates with the origin at the bottom left, to those of the page.
   */
  readonly matrix: readonly number[];
}

/** The frame of a page, whose attributes are not inherited. */
export function frameOf(file: PdfFile, page: PdfDict): PageFrame {
  const media = readBox(file, page["/MediaBox"]);
  const [left, bottom, right, top] = visibleBox(media, readBox(file, page["/CropBox"]));
  const unit = readUnit(file, page);
  const width = (right - left) * unit;
  const height = (top - bottom) * unit;
  const scale = 1 / unit;
  const rotation = file.resolve(page["/Rotate"]);
  const quarters = typeof rotation === "number" ? Math.round(rotation / 90) : 0;
  switch (((quarters % 4) + 4) % 4) {
    case 1:
      return { width: height, height: width, matrix: [0, scale, -scale, 0, right, bottom] };
    case 2:
      return { width, height, matrix: [-scale, 0, 0, -scale, right, top] };
    case 3:
      return { width: height, height: width, matrix: [0, -scale, scale, 0, left, top] };
    default:
      return { width, height, matrix: [scale, 0, 0, scale, left, bottom] };
  }
}

/** The length of a unit of the page in points (ISO 32000-1, table 30). */
function readUnit(file: PdfFile, page: PdfDict): number {
  const unit = file.resolve(page["/UserUnit"]);
  return typeof unit === "number" && unit > 0 && unit <= maxUnit ? unit : 1;
}

function readBox(file: PdfFile, value: PdfDict[`/${string}`] | undefined): Corners | undefined {
  const sides = file.array(value).map((side) => file.resolve(side));
  return toCorners(sides.map((side) => (typeof side === "number" ? side : undefined)));
}
