import { selectPages as selectIndexes } from "../../shared/pdf/page-selection.ts";
import { pageSelection } from "./page-selection.ts";

export type PageSpan = readonly [first: number, last: number];

/** The parameter `pages`; `purpose` says what is done with them. */
export const selectedPages = (purpose: string) =>
  pageSelection(purpose, {
    more: "The default is all pages. Pages after the end of the document are ignored.",
  }).optional();

/**
 * The pages that `pages` means in a document of `count` pages: spans in ascending order that neither
 * overlap nor touch. Pages after the end are left out. Throws `JobError("empty")` if none is left.
 */
export function selectPages(pages: string | undefined, count: number): PageSpan[] {
  const spans: [number, number][] = [];
  for (const index of selectIndexes(pages, count)) {
    const page = index + 1;
    const last = spans.at(-1);
    if (last && last[1] === page - 1) last[1] = page;
    else spans.push([page, page]);
  }
  return spans;
}

/** The number of pages in `spans`. */
export function countSelected(spans: readonly PageSpan[]): number {
  return spans.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}
