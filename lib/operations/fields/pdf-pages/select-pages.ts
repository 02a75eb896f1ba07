import { JobError } from "#lib/errors.ts";
import { pageRanges, parsePageRanges } from "./page-ranges.ts";

export type PageSpan = readonly [first: number, last: number];

/** The parameter `pages`; `description` says what is done with them. */
export const selectedPages = (description: string) =>
  pageRanges.describe(
    `${description}, such as 1-3,5. The default is all pages. Pages after the end of the document are ignored.`,
  );

/**
 * The pages that `pages` means in a document of `count` pages: spans in ascending order that neither
 * overlap nor touch. Pages after the end are left out. Throws `JobError("empty")` if none is left.
 */
export function selectPages(pages: string | undefined, count: number): PageSpan[] {
  const wanted: readonly PageSpan[] =
    pages === undefined ? [[1, count]] : (parsePageRanges(pages) ?? []);
  const spans = wanted
    .filter(([first]) => first <= count)
    .map(([first, last]): PageSpan => [first, Math.min(last, count)]);
  if (spans.length > 0) return spans;
  const size = count === 1 ? "1 page" : `${count} pages`;
  throw new JobError("empty", `\`pages\` has no page of the document, which has ${size}.`);
}

/** The number of pages in `spans`. */
export function countSelected(spans: readonly PageSpan[]): number {
  return spans.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}
