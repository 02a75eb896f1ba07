import { z } from "zod";

/** Four whole numbers of at most six digits; width and height are not zero. */
const regionPattern = /^\d{1,6},\d{1,6},[1-9]\d{0,5},[1-9]\d{0,5}$/;

const maxRegions = 100;

export interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const syntax = `must be left,top,width,height in pixels such as 10,20,300,200, or a list of 1 to ${maxRegions}`;

const one = z.string().regex(regionPattern, syntax);

/** Boxes of an image or video, in pixels; one, or a list. `description` ends with a period. */
export function regions(description: string) {
  return z
    .union([one, z.array(one).min(1, syntax).max(maxRegions, syntax)], syntax)
    .optional()
    .meta({
      description: `${description} Left, top, width and height in pixels, such as 10,20,300,200. A list, or in a form a repeated field, is several regions.`,
      control: "region",
    });
}

/** The boxes of a valid parameter; none if it is not set. */
export function parseRegions(value: string | readonly string[] | undefined): Region[] {
  return (value === undefined ? [] : [value].flat()).map((text) => {
    const [left = 0, top = 0, width = 0, height = 0] = text.split(",").map(Number);
    return { left, top, width, height };
  });
}
