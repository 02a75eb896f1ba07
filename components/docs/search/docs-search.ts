import MiniSearch from "minisearch";
import type { SearchEntry } from "./search-index.ts";

/** Finds entries by words: the best matches first. */
export type DocsSearch = (query: string) => readonly SearchEntry[];

/** Shorter words match only as they are or as the start of a word: with a typo, "exif" would be "exit". */
const minFuzzyLength = 5;

/** A search of the docs and of pages. Entries that have every word come before those that have some. */
export function createDocsSearch(entries: readonly SearchEntry[]): DocsSearch {
  const index = new MiniSearch<SearchEntry>({
    fields: ["title", "section", "text", "words"],
    searchOptions: {
      boost: { title: 4, section: 2, words: 3 },
      prefix: true,
      fuzzy: (term) => (term.length >= minFuzzyLength ? 0.2 : false),
    },
  });
  index.addAll(entries);
  const search = (query: string, combineWith: "AND" | "OR") =>
    index.search(query, { combineWith }).flatMap(({ id }) => entries[id] ?? []);
  return (query) => [...new Set([...search(query, "AND"), ...search(query, "OR")])];
}
