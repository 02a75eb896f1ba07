import { metadataSchema } from "#lib/jobs/metadata.ts";
import type { RequestBody } from "../http/body.ts";
import { type FieldSchema, inputSchema } from "../http/schema-messages.ts";
import { keepField, targetField } from "./export-target.ts";
import { parseFormFields } from "./parse-params.ts";

const metadata = inputSchema(metadataSchema);

/**
 * The fields of a request as JSON has them: those of a form are text, which may write the same value differently.
 * `schema` has the fields that not every request has. Nothing is validated.
 */
export function fieldValues(
  { encoding, fields }: Pick<RequestBody, "encoding" | "fields">,
  { properties }: FieldSchema,
): RequestBody["fields"] {
  if (encoding === "json") return fields;
  const all = { ...properties, metadata, output: targetField, keep: keepField };
  return parseFormFields(fields, { properties: all });
}
