import { z } from "zod";

/** Parameters that the document operations share. */

/** The last page that a range may name; more than any document has. */
const maxPage = 100_000;

const rangePattern = /^(\d{1,6})(?:-(\d{1,6}))?$/;

export const pageRanges = z
  .string()
  .max(500)
  .refine((text) => parsePageRanges(text) !== undefined, {
    error: "must be page numbers and ranges from 1 on, such as 1-3,5",
  })
  .optional()
  .describe(
    "Pages to keep, such as 1-3,5; all of them where it is left out. They come in the document's order, each once; pages beyond its end are left out.",
  );

/**
 * Reads a list of pages: first and last page of each range, sorted, where they touch merged into one.
 * Undefined where it is not such a list, or a range runs backwards.
 */
export function parsePageRanges(text: string): [first: number, last: number][] | undefined {
  const ranges: [number, number][] = [];
  for (const part of text.split(",")) {
    const [, from, to = from] = rangePattern.exec(part.trim()) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (!(first >= 1 && first <= last && last <= maxPage)) return undefined;
    ranges.push([first, last]);
  }
  ranges.sort(([left], [right]) => left - right);
  const merged: [number, number][] = [];
  for (const [first, last] of ranges) {
    const before = merged.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** A list that `pageRanges` has accepted as engines take it: `3,1-2,2` is `1-3`. */
export function normalizePageRanges(text: string): string {
  const ranges = parsePageRanges(text) ?? [];
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(",");
}
