import type { FormatChoices } from "#components/search/entry.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { parameterSchemas } from "#lib/operations/parameter-schema.ts";
import type { CatalogueEntry } from "./entry.ts";
import { synonyms } from "./synonyms.ts";

/** All operations, as lists show and search them. `unavailable` are those that this installation cannot run. */
export function catalogueEntries(unavailable: readonly { id: string }[] = []): CatalogueEntry[] {
  const ids = new Set(unavailable.map(({ id }) => id));
  return entries.map((entry) => (ids.has(entry.id) ? { ...entry, isUnavailable: true } : entry));
}

const entries = operations.map(toEntry);

function toEntry(operation: Operation): CatalogueEntry {
  const { id, group, title, summary } = operation;
  const { properties } = parameterSchemas(operation.params);
  const formats = formatsOf(operation, properties.format?.enum ?? []);
  return {
    id,
    group,
    title,
    summary,
    words: wordsOf(operation),
    params: Object.keys(properties).join(" "),
    ...(formats && { formats }),
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

/** The types that an operation takes, and those that it always writes with a value of its parameter `format`. */
function formatsOf(
  operation: Operation,
  values: readonly (string | number)[],
): FormatChoices | undefined {
  const { accepts } = operation;
  if (accepts.length === 0) return undefined;
  const choices = values.length > 0 ? values.map(String) : [""];
  const to = choices.flatMap((value): [MediaTypeId, string][] => {
    const type = onlyType(operation, value);
    return type === undefined ? [] : [[type, value]];
  });
  return { from: accepts.join(" "), to: Object.fromEntries(to) };
}

/** The type that the operation makes of every other type, if it is always the same. */
function onlyType({ accepts, example, params, produces }: Operation, format: string) {
  const parsed = params.safeParse(format === "" ? example : { ...example, format });
  if (!parsed.success) return undefined;
  const made = new Set(accepts.map((type) => produces(type, parsed.data)));
  const [type] = made;
  return made.size === 1 ? type : undefined;
}
