import { JobError } from "#lib/errors.ts";

/** Lists of pages such as `1-3,5,8-` and `last`, which are resolved when the number of pages is known. */

/** Pages from 1; `last` is the last page of the document. */
interface PageRange {
  readonly first: number | "last";
  readonly last: number | "last";
}

const maxPage = 100_000;

const rangePattern = /^(\d{1,6}|last)(?:(-)(\d{1,6}|last)?)?$/;

/**
 * Parses page ranges. Returns undefined if the text is not a list. Ranges that go down, such as
 * `3-1`, are one if `reversible`.
 */
export function parsePageSelection(text: string, reversible = false): PageRange[] | undefined {
  const ranges: PageRange[] = [];
  for (const part of text.split(",")) {
    const [, from, dash, to = dash ? "last" : from] = rangePattern.exec(part.trim()) ?? [];
    const first = toPage(from);
    const last = toPage(to);
    if (first === undefined || last === undefined) return undefined;
    const goesDown = first === "last" ? last !== "last" : last !== "last" && first > last;
    if (goesDown && !reversible) return undefined;
    ranges.push({ first, last });
  }
  return ranges;
}

function toPage(text: string | undefined): number | "last" | undefined {
  if (text === undefined || text === "last") return text;
  const page = Number(text);
  return page >= 1 && page <= maxPage ? page : undefined;
}

/** The indexes of the pages of each range, from 0. Pages after the end are left out. */
export function resolveRanges(text: string, pages: number): number[][] {
  return (parsePageSelection(text, true) ?? []).map(({ first, last }) => {
    if (first !== "last" && last === "last" && first > pages) return [];
    const from = first === "last" ? pages : first;
    const to = last === "last" ? pages : last;
    const step = from <= to ? 1 : -1;
    const start = Math.min(from, pages + 1);
    const end = Math.min(to, pages + 1);
    const count = Math.abs(end - start) + 1;
    const all = Array.from({ length: count }, (_, index) => start + step * index - 1);
    return all.filter((index) => index < pages);
  });
}

/**
 * The indexes of the selected pages, from 0, each once, in the order of the document. All without a
 * selection. Throws `JobError("empty")` if there are none.
 */
export function selectPages(text: string | undefined, pages: number): number[] {
  if (text === undefined) return Array.from({ length: pages }, (_, index) => index);
  const indexes = new Set(resolveRanges(text, pages).flat());
  if (indexes.size === 0) throw emptySelection("pages", pages);
  return [...indexes].toSorted((a, b) => a - b);
}

/** The failure of a job whose parameter `name` selects no page. */
export function emptySelection(name: string, pages: number): JobError {
  const count = pages === 1 ? "1 page" : `${pages} pages`;
  return new JobError(
    "empty",
    `\`${name}\` does not match any page of the document, which has ${count}.`,
  );
}
