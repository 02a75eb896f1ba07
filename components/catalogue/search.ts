import type { Conversion } from "#components/search/entry.ts";
import { createSearch } from "#components/search/search.ts";
import type { CatalogueEntry } from "./entry.ts";
import { toSearchEntry } from "./search-entry.ts";

/** An operation that a search finds. */
export interface FoundOperation {
  readonly operation: CatalogueEntry;
  /** The conversion that the query asks for. */
  readonly conversion?: Conversion;
}

/** Searches operations that have all words of a query. An empty one finds all of them, in their order. */
export type OperationSearch = (query: string) => readonly FoundOperation[];

/** The search of these operations: the best matches first. */
export function createOperationSearch(entries: readonly CatalogueEntry[]): OperationSearch {
  const all = entries.map((operation) => ({ operation }));
  const search = createSearch(
    entries.map((operation) => ({ ...toSearchEntry(operation), operation })),
  );
  return (query) =>
    query.trim() === ""
      ? all
      : search(query)
          .filter(({ isPartial }) => !isPartial)
          .map(({ entry, conversion }) => ({
            operation: entry.operation,
            ...(conversion && { conversion }),
          }));
}
