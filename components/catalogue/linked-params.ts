import type { Operation } from "#lib/operations/define.ts";
import { parameterSchemas } from "#lib/operations/parameter-schema.ts";

/** The query of a page's URL. */
export type LinkQuery = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The parameters that a link to an operation names, such as `?format=jpeg`. Only those with a list of values, and only
 * with one of these values: a link must not fill in text that its author has written.
 */
export function linkedParams(operation: Operation, query: LinkQuery): Record<string, string> {
  const { properties } = parameterSchemas(operation.params);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { enum: values = [] }]) => {
      const value = query[name];
      return typeof value === "string" && values.includes(value) ? [[name, value] as const] : [];
    }),
  );
}
