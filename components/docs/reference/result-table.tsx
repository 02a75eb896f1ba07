import type { z } from "zod";
import { outputSchema } from "#lib/api/http/schema-messages.ts";
import { listFields } from "../field-list.ts";
import { TermList } from "../term-list.tsx";

/** The fields of an operation's result, with those inside: `silences[].start`. */
export function ResultTable({ result }: { result: z.ZodType }) {
  const schema = outputSchema(result);
  const terms = listFields(schema).map(({ name, values, isOptional, description }) => ({
    name,
    aside: values,
    mark: isOptional ? <span className="text-muted-foreground">optional</span> : undefined,
    text: description,
  }));
  return (
    <>
      {schema.description && <p className="mb-3">{schema.description}</p>}
      <TermList label="Result" terms={terms} />
    </>
  );
}
