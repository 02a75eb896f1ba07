import { mediaType } from "#lib/media/types.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { parameterSchemas } from "#lib/operations/parameter-schema.ts";
import type { CatalogueEntry } from "./entry.ts";
import { synonyms } from "./synonyms.ts";

/** All operations, as lists show and search them. */
export function catalogueEntries(): CatalogueEntry[] {
  return operations.map(toEntry);
}

function toEntry(operation: Operation): CatalogueEntry {
  const { id, group, title, summary, accepts } = operation;
  const { properties } = parameterSchemas(operation.params);
  const formats = Object.entries(properties).flatMap(([name, { enum: values = [] }]) =>
    /format|codec/.test(name) ? values : [],
  );
  const extensions = accepts.map((type) => mediaType(type).extension);
  return {
    id,
    group,
    title,
    summary,
    words: wordsOf(operation),
    formats: formats.join(" "),
    types: [...Object.keys(properties), ...extensions].join(" "),
  };
}

/** Words that people search for instead of those of the title and the summary. */
function wordsOf({ id, title, summary }: Operation): string {
  const own = new Set(`${id} ${title} ${summary}`.toLowerCase().match(/[a-z0-9]+/g));
  return Object.entries(synonyms)
    .filter(([, words]) => words.some((word) => own.has(word)))
    .map(([word]) => word)
    .join(" ");
}
