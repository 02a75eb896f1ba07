import type { z } from "zod";
import {
  describeSchema,
  type FieldSchema,
  type ObjectSchema,
  outputSchema,
} from "#lib/api/http/schema-messages.ts";
import { type Term, TermList } from "../term-list.tsx";

/** The fields of an operation's result, with those inside: `silences[].start`. */
export function ResultTable({ result }: { result: z.ZodType }) {
  const schema = outputSchema(result);
  return (
    <>
      {schema.description && <p className="mb-3">{schema.description}</p>}
      <TermList label="Result" terms={listFields(schema, "")} />
    </>
  );
}

function listFields(schema: ObjectSchema, prefix: string): Term[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([field, own]) => {
    const name = `${prefix}${field}`;
    const term = {
      name,
      aside: describeSchema(own),
      mark: required.includes(field) ? undefined : (
        <span className="text-muted-foreground">optional</span>
      ),
      text: own.description,
    };
    return [term, ...listFields(...innerOf(own, name))];
  });
}

/** The object of a field, of its values that are not null, or of the items of its list. */
function innerOf(schema: FieldSchema, name: string): [ObjectSchema, string] {
  const present = schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  return present.items ? innerOf(present.items, `${name}[]`) : [present, `${name}.`];
}
