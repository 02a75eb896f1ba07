import { RequestError } from "#lib/errors.ts";
import type { Operation } from "#lib/operations/define.ts";
import type { RequestBody } from "./http/body.ts";
import {
  describeIssue,
  type FieldSchema,
  inputSchema,
  reportInput,
} from "./http/schema-messages.ts";

/** Validates an operation's parameters. Throws one sentence that names the field and what is allowed. */
export function parseParams(
  operation: Operation,
  given: Record<string, unknown>,
  encoding: RequestBody["encoding"],
): Record<string, unknown> {
  const schema = inputSchema(operation.params);
  const values = encoding === "json" ? given : fromText(given, schema);
  const parsed = operation.params.safeParse(values, reportInput);
  if (!parsed.success) {
    throw new RequestError("invalid_parameter", describeIssue(parsed.error, schema));
  }
  return parsed.data;
}

/** Form fields are text: those whose schema says number or boolean are read as such. */
function fromText(fields: Record<string, unknown>, schema: FieldSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, readText(text, schema.properties?.[name])]),
  );
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function readText(text: unknown, field: FieldSchema | undefined): unknown {
  if (typeof text !== "string") return text;
  if (field?.type === "number" || field?.type === "integer") {
    return numberPattern.test(text.trim()) ? Number(text) : text;
  }
  if (field?.type === "boolean") return { true: true, false: false }[text.trim()] ?? text;
  return text;
}
