import type { SearchEntry } from "#components/search/entry.ts";
import type { CatalogueEntry } from "./entry.ts";
import { popular } from "./popular.ts";

/** What the search needs of an operation. */
export function toSearchEntry(entry: CatalogueEntry): SearchEntry {
  const { id, group, title, summary, words, params, formats } = entry;
  const name = id.split("/")[1] ?? id;
  return {
    kind: "operation",
    title,
    section: group,
    text: summary,
    names: [id, name],
    words,
    params,
    ...(formats && { formats }),
    ...(popular.has(id) && { isPopular: true as const }),
  };
}
