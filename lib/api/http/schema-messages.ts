import { z } from "zod";
import { didYouMean, suggest } from "#lib/typos/suggest.ts";
import { locate } from "../definition/locate-field.ts";

/** The keywords of JSON Schema that parameters use. */
export type FieldSchema = {
  /** A component of the API, such as `#/$defs/Output`. */
  readonly $ref?: string;
  readonly type?: "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly FieldSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly description?: string;
  /** Whether the value is secret: it is never shown. */
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
};

/** What the schema of an object has in addition. */
export type ObjectSchema = FieldSchema & {
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | FieldSchema;
};

/** Options of a parse whose error `schemaMessage` turns into a message. */
export const reportInput = { reportInput: true } as const;

const inputSchemas = new WeakMap<z.ZodType, FieldSchema>();

/** The JSON Schema of what a client sends for `schema`. */
export function inputSchema(schema: z.ZodType): FieldSchema {
  const known = inputSchemas.get(schema);
  if (known) return known;
  const converted = apiSchema(schema, "input");
  inputSchemas.set(schema, converted);
  return converted;
}

/** The JSON Schema of what `schema` parses to: defaults are filled in. */
export function outputSchema(schema: z.ZodType): ObjectSchema {
  return apiSchema(schema, "output");
}

/** The JSON Schema of a component of the API, such as a job. Other components in it are references. */
export function componentSchema(schema: z.ZodType): ObjectSchema {
  const { $ref, $defs } = outputSchema(schema) as ObjectSchema & {
    readonly $defs?: Readonly<Record<string, ObjectSchema>>;
  };
  const component = $ref && $defs?.[componentName($ref)];
  if (!component) throw new Error("the schema has no id");
  return component;
}

/** The name of the component in `#/$defs/Output`, which is `Output`. */
export const componentName = ($ref: string) => $ref.slice($ref.lastIndexOf("/") + 1);

function apiSchema(schema: z.ZodType, io: "input" | "output"): ObjectSchema {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    // The form fields of the playground are not part of the API.
    override: ({ jsonSchema }) => {
      delete jsonSchema.control;
      delete jsonSchema.unit;
      if (!jsonSchema.secret) return;
      delete jsonSchema.secret;
      jsonSchema.writeOnly = true;
      if (jsonSchema.type === "string") jsonSchema.format = "password";
    },
  });
  // Parameters and results use only the keywords of FieldSchema.
  return splitTypes(converted) as ObjectSchema;
}

/** Returns `schema` with a union wherever it has several types, such as `["string", "null"]`. */
function splitTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(splitTypes);
  if (typeof schema !== "object" || schema === null) return schema;
  const { type, ...rest } = schema as Record<string, unknown>;
  const split = Array.isArray(type) ? { anyOf: type.map((one) => ({ type: one })) } : { type };
  const entries = Object.entries({ ...("type" in schema ? split : {}), ...rest });
  return Object.fromEntries(entries.map(([key, value]) => [key, splitTypes(value)]));
}

const alternatives = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** The allowed values, for messages and the docs: "a number from 0.1 to 10". */
export function describeSchema(schema: FieldSchema): string {
  if (schema.enum) return describeValues(schema.enum);
  if (schema.anyOf) return alternatives.format(schema.anyOf.map(describeSchema));
  switch (schema.type) {
    case "number":
    case "integer":
      return describeNumber(schema);
    case "string":
      return describeText(schema);
    case "boolean":
      return "true or false";
    case "object":
      return "an object";
    case "array":
      return "a list";
    case "null":
      return "null";
    default:
      return "a valid value";
  }
}

/** A longer list of values is in the reference. */
const maxNamedValues = 40;
const namedValues = 12;

function describeValues(values: readonly (string | number)[]): string {
  if (values.length <= maxNamedValues) return `one of ${values.join(", ")}`;
  const named = values.slice(0, namedValues).join(", ");
  return `one of ${values.length} values, such as ${named}; GET /v1/operations lists all`;
}

function describeNumber({ type, minimum, maximum, multipleOf }: FieldSchema): string {
  const integer = multipleOf === 2 ? "an even integer" : "an integer";
  const noun = type === "integer" ? integer : "a number";
  // Zod bounds every integer by the safe integers; that is no bound of the parameter.
  const isBound = (value: number | undefined) =>
    value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  if (isBound(minimum) && isBound(maximum)) return `${noun} from ${minimum} to ${maximum}`;
  if (isBound(minimum)) return `${noun} of at least ${minimum}`;
  return isBound(maximum) ? `${noun} of at most ${maximum}` : noun;
}

function describeText({ format, minLength, maxLength, examples }: FieldSchema): string {
  if (format === "uri") return "a complete http or https URL";
  if (examples?.[0] !== undefined) return `text such as ${examples[0]}`;
  if (maxLength !== undefined && !minLength) return `text of at most ${maxLength} characters`;
  if (maxLength !== undefined) return `text of ${minLength} to ${maxLength} characters`;
  return minLength ? "text that is not empty" : "text";
}

/** Zod's message for a check without one. */
const defaultCustomMessage = "Invalid input";

/**
 * The message for the first issue of `error`: the field and its allowed values. The parse must have
 * used `reportInput`, which distinguishes missing values from wrong ones. `otherFields` are allowed
 * fields of the request that `schema` does not have.
 */
export function schemaMessage(
  error: z.ZodError,
  schema: FieldSchema,
  otherFields: readonly string[] = [],
): string {
  const issue = error.issues[0];
  if (!issue) return "The request is not valid.";
  // A schema's own message is either complete or what follows the field: "must be …".
  if (/^[A-Z`].*\.$/.test(issue.message)) return issue.message;
  const { name, schema: allowed, isWhole } = locate(issue.path, schema);
  const field = name === "" ? "The request" : `\`${name}\``;
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    if (issue.path.length === 0) return unknownMessage({ name: key, schema, otherFields });
    if (!isWhole || !allowed) return `${field} is not valid.`;
    return unknownMessage({ parent: name, name: key, schema: allowed, otherFields: [] });
  }
  const isMissing = isWhole && issue.path.length > 0 && issue.input === undefined;
  if (isMissing && allowed) return `${field} is required: ${describeSchema(allowed)}.`;
  const isOwn = issue.code === "custom" && issue.message !== defaultCustomMessage;
  if (isOwn || /^must\b/.test(issue.message)) return `${field} ${issue.message}.`;
  if (!allowed) return `${field} is not valid.`;
  const suggested = isWhole ? suggestValues(issue.input, allowed) : [];
  if (suggested.length === 0) return `${field} must be ${describeSchema(allowed)}.`;
  // The message ends with what is allowed, as all do.
  return `${field} has no such value.${didYouMean(suggested)} It must be ${describeSchema(allowed)}.`;
}

interface UnknownField {
  readonly parent?: string;
  readonly name: string;
  readonly schema: FieldSchema;
  readonly otherFields: readonly string[];
}

/** What other services call the input. It is not what has a similar name, such as `webhook_url`. */
const inputSynonyms: ReadonlySet<string> = new Set([
  ...["url", "urls", "uri", "file", "files", "source", "src"],
  ...["file_url", "image_url", "input_url", "source_url"],
]);

/**
 * Says that `name` is not a parameter, what was probably meant, and which there are. `parent`: where it is in the request,
 * such as `bookmarks[0]`.
 */
function unknownMessage({ parent, name, schema, otherFields }: UnknownField): string {
  const names = Object.keys(schema.properties ?? {});
  const shown = showName(name);
  const isShown = parent !== undefined && shown.startsWith("`");
  const unknown = `${isShown ? `\`${parent}.${name}\`` : shown} is not a parameter.`;
  const [, object = ""] = /^([A-Za-z_]\w*)\[[^\]]*\]$/.exec(name) ?? [];
  if (object && [...names, ...otherFields].includes(object)) {
    return `${unknown} Send \`${object}\` as one field with JSON.`;
  }
  const inputs = inputSynonyms.has(name)
    ? otherFields.filter((one) => one === "input" || one === "inputs")
    : [];
  const similar = inputs.length > 0 ? inputs : suggest(name, [...names, ...otherFields]);
  const suggestion = didYouMean(similar);
  const others = otherFields.map((one) => `\`${one}\``).join(", ");
  const allowed =
    names.length === 0
      ? "There are none."
      : `Allowed parameters: ${listNames(names, maxListLength - others.length)}.`;
  return `${unknown}${suggestion} ${allowed}${others ? ` Other fields: ${others}.` : ""}`;
}

/** The most characters of all names of a list. */
const maxListLength = 350;

/** The names, or the first ones and how many others there are. */
function listNames(names: readonly string[], maxLength: number): string {
  const quoted = names.map((one) => `\`${one}\``);
  const fitting = quoted.filter(
    (_, index) => quoted.slice(0, index + 1).join(", ").length <= maxLength,
  );
  const others = quoted.length - fitting.length;
  if (others === 0) return quoted.join(", ");
  return `${fitting.join(", ")} and ${others} others; GET /v1/operations lists all`;
}

/** Other names of values that differ by more than a typing error. */
const otherValues: Readonly<Record<string, string>> = { jpg: "jpeg", tif: "tiff", htm: "html" };

/** The allowed values that `given` was probably meant to be. */
function suggestValues(given: unknown, schema: FieldSchema): string[] {
  if (typeof given !== "string") return [];
  const values = [schema, ...(schema.anyOf ?? [])]
    .flatMap((one) => one.enum ?? [])
    .filter((value) => typeof value === "string");
  const other = otherValues[given.toLowerCase()];
  return other !== undefined && values.includes(other) ? [other] : suggest(given, values);
}

/** A field's name from the request in backticks, if it looks like a name or `name[key]`; else "A field". */
export function showName(name: string): string {
  const isName = /^[A-Za-z_][A-Za-z0-9_-]{0,40}(?:\[[A-Za-z0-9_-]{0,40}\])?$/.test(name);
  return isName ? `\`${name}\`` : "A field";
}
