import { JobError } from "#lib/errors.ts";

/**
 * Lists of pages such as `1-3,5,8-last`, `odd` and `1-r2,!4`, which are resolved when the number of pages is known.
 * A set is the pages of a document that are selected: exclusions and the order of the document count. Parts are one
 * list of pages for each item. An order is pages in any order, whose ranges may go down, such as `3-1`.
 */
export type SelectionKind = "set" | "parts" | "order";

/** A page, counted from 1 at the start of the document, or at its end. */
interface PagePosition {
  readonly number: number;
  readonly isFromEnd: boolean;
}

interface PageRange {
  readonly first: PagePosition;
  readonly last: PagePosition;
  readonly isExcluded: boolean;
}

type PageItem = PageRange | "odd" | "even";

const maxPage = 100_000;

const itemPattern = /^(!?)(r?\d{1,6}|last)(?:(-)(r?\d{1,6}|last)?)?$/;

/** Parses a list. Returns undefined if the text is not one of this kind. */
export function parsePageSelection(
  text: string,
  kind: SelectionKind = "set",
): PageItem[] | undefined {
  const items: PageItem[] = [];
  for (const part of text.split(",")) {
    const item = parseItem(part.trim(), kind);
    if (!item) return undefined;
    items.push(item);
  }
  return items;
}

function parseItem(text: string, kind: SelectionKind): PageItem | undefined {
  if (text === "odd" || text === "even") return text;
  const [, exclusion, from, dash, to = dash ? "last" : from] = itemPattern.exec(text) ?? [];
  const first = toPosition(from);
  const last = toPosition(to);
  if (!first || !last) return undefined;
  const isExcluded = exclusion === "!";
  if (isExcluded && kind !== "set") return undefined;
  if (goesDown(first, last) && kind !== "order") return undefined;
  return { first, last, isExcluded };
}

function toPosition(text: string | undefined): PagePosition | undefined {
  if (text === undefined) return undefined;
  if (text === "last") return { number: 1, isFromEnd: true };
  const isFromEnd = text.startsWith("r");
  const number = Number(isFromEnd ? text.slice(1) : text);
  return number >= 1 && number <= maxPage ? { number, isFromEnd } : undefined;
}

/** Whether a range goes down in any document. One from the start to the end may do so in a short one. */
function goesDown(first: PagePosition, last: PagePosition): boolean {
  if (first.isFromEnd) return !last.isFromEnd || first.number < last.number;
  return !last.isFromEnd && first.number > last.number;
}

/** The indexes of the pages of each item, from 0. Pages after the end are left out. */
export function resolveRanges(
  text: string,
  pages: number,
  kind: Exclude<SelectionKind, "set">,
): number[][] {
  const items = parsePageSelection(text, kind) ?? [];
  return items.map((item) => resolveItem(item, pages, kind));
}

function resolveItem(item: PageItem, pages: number, kind: SelectionKind): number[] {
  if (item === "odd" || item === "even") {
    const first = item === "odd" ? 0 : 1;
    return Array.from({ length: Math.ceil((pages - first) / 2) }, (_, at) => first + 2 * at);
  }
  const from = resolvePosition(item.first, pages);
  const to = resolvePosition(item.last, pages);
  const isBeforeStart = from < 1 || to < 1;
  const isAfterEnd = from > pages && item.last.isFromEnd;
  if (isBeforeStart || isAfterEnd || (from > to && kind !== "order")) return [];
  const step = from <= to ? 1 : -1;
  const start = Math.min(from, pages + 1);
  const end = Math.min(to, pages + 1);
  const count = Math.abs(end - start) + 1;
  const all = Array.from({ length: count }, (_, index) => start + step * index - 1);
  return all.filter((index) => index < pages);
}

/** The number of a page; 0 or less before the start of the document. */
function resolvePosition({ number, isFromEnd }: PagePosition, pages: number): number {
  return isFromEnd ? pages + 1 - number : number;
}

/**
 * The indexes of the selected pages, from 0, each once, in the order of the document. All without a
 * selection. Throws `JobError("empty")` if there are none.
 */
export function selectPages(text: string | undefined, pages: number): number[] {
  const all = Array.from({ length: pages }, (_, index) => index);
  if (text === undefined) return all;
  const items = parsePageSelection(text) ?? [];
  const selected = resolveSet(items, pages);
  const indexes = all.filter((index) => selected.get(index) === true);
  if (indexes.length === 0) throw emptySelection("pages", pages);
  return indexes;
}

/**
 * Which pages are selected, and which are left out, as pdfcpu resolves them: the last item counts, and `odd` and `even`
 * add only pages that no item before has left out. Exclusions alone are those from all pages.
 */
function resolveSet(items: readonly PageItem[], pages: number): ReadonlyMap<number, boolean> {
  const selected = new Map<number, boolean>();
  const areExclusions = items.every((item) => typeof item === "object" && item.isExcluded);
  if (areExclusions) for (let index = 0; index < pages; index++) selected.set(index, true);
  for (const item of items) {
    for (const index of resolveItem(item, pages, "set")) {
      if (typeof item === "object") selected.set(index, !item.isExcluded);
      else if (!selected.has(index)) selected.set(index, true);
    }
  }
  return selected;
}

/** The failure of a job whose parameter `name` selects no page. */
export function emptySelection(name: string, pages: number): JobError {
  const count = pages === 1 ? "1 page" : `${pages} pages`;
  return new JobError(
    "empty",
    `\`${name}\` does not match any page of the document, which has ${count}.`,
  );
}
