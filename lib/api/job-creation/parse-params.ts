import { RequestError } from "#lib/errors.ts";
import type { Operation } from "#lib/operations/define.ts";
import { findChoiceFault } from "#lib/operations/file-choice.ts";
import { isList, isNumeric, isObject } from "#lib/operations/parameter-schema.ts";
import type { RequestBody } from "../http/body.ts";
import { parseJsonText } from "../http/json-text.ts";
import {
  type FieldSchema,
  inputSchema,
  reportInput,
  schemaMessage,
  showName,
} from "../http/schema-messages.ts";

/**
 * The fields of one object, at most, unless its parameter is documented to take more. Schemas check every field of
 * an object before they count them, at about 30 µs each.
 */
const defaultMaxFields = 1000;

/** Throws `invalid_parameter` if the object `value` has too many fields for its schema to check. */
export function requireFewFields(
  value: unknown,
  name?: string,
  maxFields: number = defaultMaxFields,
): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  if (Object.keys(value).length <= maxFields) return;
  const subject = name === undefined ? "The request" : showName(name);
  const message = `${subject} must have at most ${maxFields.toLocaleString("en")} fields.`;
  throw new RequestError("invalid_parameter", message);
}

/**
 * Validates an operation's parameters. Throws `invalid_parameter`. `otherFields` are the fields that are allowed next
 * to them.
 */
export function parseParams(
  operation: Operation,
  given: Record<string, unknown>,
  encoding: RequestBody["encoding"],
  otherFields: readonly string[] = fieldsBesides(operation, encoding),
): Record<string, unknown> {
  const schema = inputSchema(operation.params);
  const values = encoding === "json" ? given : parseFormFields(given, schema);
  requireFewFields(values);
  for (const [name, value] of Object.entries(values)) {
    requireFewFields(value, name, schema.properties?.[name]?.maxProperties);
  }
  const parsed = operation.params.safeParse(values, reportInput);
  if (parsed.success) return parsed.data;
  const message = schemaMessage(parsed.error, schema, otherFields);
  throw new RequestError("invalid_parameter", message);
}

/**
 * Throws `invalid_input` if a request has both a file and the parameter that it stands in for, or neither. `parts` has
 * the request's files by part.
 */
export function requireFileChoice(
  operation: Operation,
  params: Readonly<Record<string, unknown>>,
  parts: Readonly<Record<string, unknown>>,
): void {
  const fault = findChoiceFault(operation, params, parts);
  if (fault) throw new RequestError("invalid_input", fault);
}

/** The fields of every request for jobs, in addition to the inputs. */
export const commonFields = ["webhook_url", "metadata", "output", "keep"] as const;

/** The fields that name the further files of an operation. */
export function fileFields({ files = {} }: Pick<Operation, "files">): string[] {
  return Object.keys(files).map((part) => `${part}_url`);
}

/** The fields of a request for `operation` that are not among its parameters. */
function fieldsBesides(operation: Operation, encoding: RequestBody["encoding"]): string[] {
  // A form repeats `input` for several files.
  const input = operation.inputs.max === 1 || encoding === "multipart" ? "input" : "inputs";
  return [
    ...(operation.inputs.max === 0 ? [] : [input]),
    ...fileFields(operation),
    ...commonFields,
  ];
}

/** Form fields are text. Those with a number or boolean in the schema are parsed. */
export function parseFormFields(
  fields: Record<string, unknown>,
  schema: FieldSchema,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [
      name,
      parseFormField(text, schema.properties?.[name]),
    ]),
  );
}

const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Fields that a form may have several times: those whose value may be a list. */
export function repeatableFields({ params }: Operation): string[] {
  const { properties = {} } = inputSchema(params);
  return Object.keys(properties).filter((name) => isList(properties[name] ?? {}));
}

/** JSON in a form field. Undefined if it is invalid, which the field's schema then reports. */
export function parseFormJson(text: unknown): unknown {
  try {
    return parseJsonText(String(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** JSON in a form field. Throws `invalid_parameter` if it is not JSON; `allowed` says what it may be. */
export function requireFormJson(name: string, text: unknown, allowed: string): unknown {
  const value = parseFormJson(text);
  if (value !== undefined) return value;
  throw new RequestError("invalid_parameter", `\`${name}\` must be JSON: ${allowed}.`);
}

/** The text itself if it is not a value of the field's type; then the schema rejects it. */
function parseFormField(text: unknown, field: FieldSchema | undefined): unknown {
  if (typeof text !== "string") return text;
  if (field && isNumeric(field)) return numberPattern.test(text.trim()) ? Number(text) : text;
  if (field && isList(field) && text.trim().startsWith("[")) return parseFormJson(text) ?? text;
  if (field && isObject(field) && text.trim().startsWith("{")) return parseFormJson(text) ?? text;
  if (field?.type === "boolean") return { true: true, false: false }[text.trim()] ?? text;
  return text;
}
