import { z } from "zod";
import { maxUnit } from "#lib/formats/pdf/structure/corners.ts";
import { color } from "../../fields/index.ts";

const maxItems = 200;

/** The largest page of PDF (ISO 32000-1, annex C), in points. */
const maxPoints = 14_400 * maxUnit;

const points = (description: string, min = 0) =>
  z.number().min(min).max(maxPoints).describe(description);

const region = z.strictObject({
  page: z.int().min(1).max(100_000).optional().describe("The page; the default is every page."),
  left: points("Distance from the left edge of the page."),
  top: points("Distance from the top edge of the page."),
  width: points("Width.", 0.1),
  height: points("Height.", 0.1),
});

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "gu") instanceof RegExp;
  } catch {
    return false;
  }
}

export const redactParams = z
  .strictObject({
    texts: z
      .array(z.string().min(1).max(500).regex(/\S/, "must not be blank"))
      .max(maxItems)
      .default([])
      .meta({
        description:
          "Texts to remove wherever they occur, in upper or lower case, such as Maria Jensen.",
        control: "json",
      }),
    patterns: z
      .array(
        z.string().min(1).max(500).refine(isPattern, "must be a regular expression of JavaScript"),
      )
      .max(50)
      .default([])
      .meta({
        description:
          "Regular expressions of JavaScript of what to remove. The words of a page are separated by single spaces.",
        control: "json",
      }),
    regions: z.array(region).max(maxItems).default([]).meta({
      description:
        "Rectangles to remove, in points (1/72 inch) from the top left of the page: page, left, top, width, height.",
      control: "json",
    }),
    color: color("#000000").describe("The color of the bars over what was removed."),
  })
  .refine(({ texts, patterns, regions }) => texts.length + patterns.length + regions.length > 0, {
    error: "`texts`, `patterns` or `regions` is required.",
  });

export type RedactParams = z.output<typeof redactParams>;
