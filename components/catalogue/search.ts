import MiniSearch from "minisearch";
import type { CatalogueEntry } from "./entry.ts";

/** Words of questions that say nothing about an operation. */
const stopWords = new Set(
  "a an and as at by do file files for from get how i in into is it make me my of on or the to with".split(
    " ",
  ),
);

/** Searches operations. An empty query finds all of them, in their order. */
export type OperationSearch = (query: string) => readonly CatalogueEntry[];

/** The search of these operations: the best matches first. Every word of a query must match. */
export function createOperationSearch(entries: readonly CatalogueEntry[]): OperationSearch {
  const index = new MiniSearch<CatalogueEntry>({
    fields: ["id", "title", "summary", "words", "formats", "types"],
    processTerm: (term) => term.toLowerCase(),
    searchOptions: {
      boost: { id: 4, title: 4, summary: 2, words: 3, formats: 2, types: 0.3 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: "AND",
      processTerm: (term) => (stopWords.has(term.toLowerCase()) ? null : term.toLowerCase()),
    },
  });
  index.addAll(entries);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return (query) => {
    if (query.trim() === "") return entries;
    const found = index.search(query).flatMap(({ id }) => byId.get(id) ?? []);
    const named = found.filter((entry) => isNamed(entry, query));
    return [...named, ...found.filter((entry) => !named.includes(entry))];
  };
}

/** Whether the query is the ID or the title of the operation, with or without its group. */
function isNamed({ id, title }: CatalogueEntry, query: string): boolean {
  const name = query.trim().toLowerCase();
  return name === id || name === id.split("/")[1] || name === title.toLowerCase();
}
