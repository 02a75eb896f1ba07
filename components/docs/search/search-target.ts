import type { Conversion, Found, SearchEntry } from "#components/search/entry.ts";
import { createSearch } from "#components/search/search.ts";
import type { DocsEntry } from "./search-index.ts";

/** A result that opens a page, or does something on the present one. */
export type SearchTarget = SearchEntry &
  ({ readonly href: string } | { readonly run: () => unknown });

/** A row of the dialog. */
export type SearchRow = Found<SearchTarget> & { readonly key: string };

const maxRows = 12;

/** The rows that have only some words of the query, after rows that have all. */
const maxPartialRows = 3;

/** The rows for a query: the best matches, or some of the first entries if it is empty. */
export type FindRows = (query: string) => readonly SearchRow[];

/** Searches pages and actions with the docs. Without pages, it is the search of the docs, which runs nothing. */
export function createRows(targets: readonly SearchTarget[], docs: readonly DocsEntry[]): FindRows {
  const runs = targets.length > 0 ? docs.flatMap(runOf) : [];
  const entries: readonly SearchTarget[] = [...targets, ...runs, ...docs];
  const search = createSearch(entries);
  const keys = new Map(entries.map((entry, at) => [entry, String(at)]));
  const suggested = entries.filter(({ kind }) => kind !== "operation").filter(isSuggested);
  return (query) =>
    (query.trim() === "" ? suggested.map((entry) => ({ entry })) : dropPartial(search(query)))
      .slice(0, maxRows)
      .map((found) => ({ ...found, key: keys.get(found.entry) ?? "" }));
}

/** The results without most of those that have only some words of the query, unless there are no others. */
function dropPartial(found: readonly Found<SearchTarget>[]): readonly Found<SearchTarget>[] {
  const complete = found.filter(({ isPartial }) => !isPartial);
  const partial = found.filter(({ isPartial }) => isPartial);
  if (complete.length === 0) return partial;
  // The words of a query about formats mean nothing one by one.
  const isConversion = complete.some(({ conversion }) => conversion !== undefined);
  return isConversion ? complete : [...complete, ...partial.slice(0, maxPartialRows)];
}

/** Before a query: what can be done, pages and guides, not each operation. */
function isSuggested({ kind, title }: SearchEntry): boolean {
  return !title.startsWith(runPrefix) && ["action", "page", "guide"].includes(kind);
}

const runPrefix = "Run ";

/** An action that opens the operation of a page of the docs in the playground. */
function runOf(entry: DocsEntry): SearchTarget[] {
  if (entry.kind !== "operation") return [];
  const id = entry.href.replace(/^\/docs\//, "");
  const { title, names = [], words = "", text, formats, isPopular } = entry;
  return [
    {
      kind: "action",
      title: `${runPrefix}${id}`,
      section: "Playground",
      text,
      names: [title, ...names],
      words,
      href: `/dashboard/playground?operation=${id}`,
      ...(formats && { formats }),
      ...(isPopular && { isPopular }),
    },
  ];
}

/** The URL of a result, with the format of the conversion that the query asks for. */
export function hrefOf(href: string, conversion: Conversion | undefined): string {
  if (!conversion || conversion.format === "") return href;
  return `${href}${href.includes("?") ? "&" : "?"}format=${encodeURIComponent(conversion.format)}`;
}
