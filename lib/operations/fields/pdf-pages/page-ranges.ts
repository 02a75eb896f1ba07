import { z } from "zod";

/** The highest page number of a range; no document has as many pages. */
const maxPage = 100_000;

const rangePattern = /^(\d{1,6})(?:-(\d{1,6}))?$/;

export const pageRanges = z
  .string()
  .max(500)
  .refine((text) => parsePageRanges(text) !== undefined, {
    error: "must be page numbers and ranges such as 1-3,5; the first page is 1",
  })
  .optional()
  .describe(
    "Pages to keep, such as 1-3,5. The default is all pages. The output has each page once, in the order of the document. Pages after the end of the document are ignored.",
  );

/**
 * Parses a list of page numbers and ranges to the first and last page of each range, sorted, with
 * adjacent ranges merged. Undefined if the text is not such a list or a range is reversed.
 */
export function parsePageRanges(text: string): [first: number, last: number][] | undefined {
  const ranges: [number, number][] = [];
  for (const part of text.split(",")) {
    const [, from, to = from] = rangePattern.exec(part.trim()) ?? [];
    const first = Number(from);
    const last = Number(to);
    if (!(first >= 1 && first <= last && last <= maxPage)) return undefined;
    ranges.push([first, last]);
  }
  ranges.sort(([left], [right]) => left - right);
  const merged: [number, number][] = [];
  for (const [first, last] of ranges) {
    const previous = merged.at(-1);
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** Rewrites a valid list to the form that engines take: `3,1-2,2` becomes `1-3`. */
export function normalizePageRanges(text: string): string {
  const ranges = parsePageRanges(text) ?? [];
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(",");
}
