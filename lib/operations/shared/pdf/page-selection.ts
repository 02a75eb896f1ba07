import { JobError } from "#lib/errors.ts";
import { fileLimits, limitError } from "#lib/limits/limits.ts";

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

/** The highest page number; no document may have more pages. */
const maxPage = fileLimits.pdfPages.max;

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

/** Pages of one item: `count` pages from the index `first`, from 0, in steps of `step`. */
export interface PageRun {
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

/** The pages of each item. Pages after the end are left out. Throws what `selectPages` throws of too many pages. */
export function resolveRanges(
  text: string,
  pages: number,
  kind: Exclude<SelectionKind, "set">,
): PageRun[] {
  checkCount(pages);
  const items = parsePageSelection(text, kind) ?? [];
  return items.map((item) => resolveItem(item, pages, kind));
}

/** The indexes of the pages of a run, in its order. */
export function indexesOf({ first, step, count }: PageRun): number[] {
  return Array.from({ length: count }, (_, at) => first + step * at);
}

const noPages: PageRun = { first: 0, step: 1, count: 0 };

function resolveItem(item: PageItem, pages: number, kind: SelectionKind): PageRun {
  if (item === "odd" || item === "even") {
    const first = item === "odd" ? 0 : 1;
    return { first, step: 2, count: Math.ceil((pages - first) / 2) };
  }
  const from = resolvePosition(item.first, pages);
  const to = resolvePosition(item.last, pages);
  const isBeforeStart = from < 1 || to < 1;
  const isAfterEnd = (from > pages && item.last.isFromEnd) || Math.min(from, to) > pages;
  if (isBeforeStart || isAfterEnd || (from > to && kind !== "order")) return noPages;
  const start = Math.min(from, pages);
  const end = Math.min(to, pages);
  return { first: start - 1, step: from <= to ? 1 : -1, count: Math.abs(end - start) + 1 };
}

/** The number of a page; 0 or less before the start of the document. */
function resolvePosition({ number, isFromEnd }: PagePosition, pages: number): number {
  return isFromEnd ? pages + 1 - number : number;
}

/**
 * The indexes of the selected pages, from 0, each once, in the order of the document. All without a
 * selection. Throws `JobError`: `empty` if there are none, `too_complex` if the document has too many pages.
 */
export function selectPages(text: string | undefined, pages: number): number[] {
  checkCount(pages);
  if (text === undefined) return indexesOf({ first: 0, step: 1, count: pages });
  const choices = resolveSet(parsePageSelection(text) ?? [], pages);
  const indexes: number[] = [];
  for (const [index, choice] of choices.entries()) if (choice === selected) indexes.push(index);
  if (indexes.length === 0) throw emptySelection("pages", pages);
  return indexes;
}

/** The number of pages is that which a file declares, whether it has them or not. */
function checkCount(pages: number): void {
  if (pages > maxPage) throw limitError("pdfPages", maxPage);
}

/**
 * The indexes of all pages: those of an order first, each where it stands first, then the others. Throws what
 * `selectPages` throws.
 */
export function orderPages(text: string, pages: number): number[] {
  const runs = resolveRanges(text, pages, "order");
  const ordered: number[] = [];
  const isOrdered = new Uint8Array(pages);
  const add = ({ first, step, count }: PageRun) => {
    for (let index = first, left = count; left > 0; index += step, left--) {
      if (isOrdered[index]) continue;
      isOrdered[index] = 1;
      ordered.push(index);
    }
  };
  for (const run of runs) {
    if (ordered.length === pages) break;
    add(run);
  }
  if (ordered.length === 0) throw emptySelection("order", pages);
  add({ first: 0, step: 1, count: pages });
  return ordered;
}

/** What is known of a page; of the others it is 0. */
const [selected, excluded] = [1, 2];

/**
 * Which pages are selected, and which are left out, as pdfcpu resolves them: the last item counts, and `odd` and `even`
 * add only pages that no item before has left out. Exclusions alone are those from all pages.
 */
function resolveSet(items: readonly PageItem[], pages: number): Uint8Array {
  const choices = new Uint8Array(pages);
  const areExclusions = items.every((item) => typeof item === "object" && item.isExcluded);
  if (areExclusions) choices.fill(selected);
  // Once `odd` was applied, each of its pages is selected or left out.
  const parities = new Set(items.filter((item) => typeof item === "string"));
  for (const item of items) {
    const { first, step, count } = resolveItem(item, pages, "set");
    if (typeof item === "object") {
      choices.fill(item.isExcluded ? excluded : selected, first, first + count);
    } else if (parities.delete(item)) {
      for (let index = first; index < pages; index += step) choices[index] ||= selected;
    }
  }
  return choices;
}

/** The failure of a job whose parameter `name` selects no page. */
export function emptySelection(name: string, pages: number): JobError {
  const count = pages === 1 ? "1 page" : `${pages} pages`;
  return new JobError(
    "empty",
    `\`${name}\` does not match any page of the document, which has ${count}.`,
  );
}
