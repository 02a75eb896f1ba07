import { z } from "zod";

/** Two numbers of at most four digits and a fraction, such as `16:9` or `1.91:1`. */
const ratioPattern = /^[1-9]\d{0,3}(?:\.\d{1,4})?:[1-9]\d{0,3}(?:\.\d{1,4})?$/;

/** The highest ratio of the longer to the shorter side. */
const maxRatio = 100;

const syntax = "Width to height, such as 16:9, 1:1 or 9:16.";

/** An aspect ratio; `description` says what it is for, and ends with a period. */
export function ratio(description: string) {
  return z
    .string()
    .regex(ratioPattern, "must be a ratio of width to height such as 16:9")
    .refine(
      (text) => {
        const value = parseRatio(text);
        return value <= maxRatio && value >= 1 / maxRatio;
      },
      { error: `must be between 1:${maxRatio} and ${maxRatio}:1` },
    )
    .meta({ description: `${description} ${syntax}` });
}

/** Width divided by height of a valid ratio. */
export function parseRatio(text: string): number {
  const [width, height] = text.split(":");
  return Number(width) / Number(height);
}
