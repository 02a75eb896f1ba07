import { readFileSync } from "node:fs";
import { UsageError } from "../errors.ts";
import type { Parameter, ParameterSchema } from "./operation.ts";

/**
 * The value of a parameter from the text of its flag. Objects and lists are JSON, or `@file.json`; lists
 * also texts separated by commas, and objects `key=value`. Throws `UsageError`.
 */
export function parseValue({ flag, schema, isSecret }: Parameter, text: string): unknown {
  if (isSecret && schema.type === "string") return checkedText(flag, schema, text);
  const kinds = schema.anyOf ?? [schema];
  for (const kind of kinds) {
    const value = parseAs(kind, text);
    if (value !== undefined) return value;
  }
  // Secret values are not shown.
  const shown = isSecret ? "" : `, not ${JSON.stringify(text)}`;
  throw new UsageError(`--${flag} must be ${kinds.map(describeValues).join(" or ")}${shown}.`);
}

/** Several values of one flag: the list of them. */
export function mergeValues(parameter: Parameter, earlier: unknown, text: string): unknown {
  const value = parseValue(parameter, text);
  if (earlier === undefined) return value;
  if (Array.isArray(earlier) && Array.isArray(value)) return [...earlier, ...value];
  if (isObject(earlier) && isObject(value)) return { ...earlier, ...value };
  return value;
}

function checkedText(flag: string, { minLength = 0, maxLength }: ParameterSchema, text: string) {
  if (text.length >= minLength && (maxLength === undefined || text.length <= maxLength))
    return text;
  const limit = maxLength === undefined ? "" : ` and at most ${maxLength}`;
  throw new UsageError(`--${flag} must have at least ${minLength}${limit} characters.`);
}

/** Parses a value. Returns undefined if the text is not one of this kind. */
function parseAs(schema: ParameterSchema, text: string): unknown {
  if (schema.enum) return schema.enum.find((one) => String(one) === text);
  switch (schema.type) {
    case "integer":
    case "number":
      return parseNumber(schema, text);
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "array":
      return parseList(schema, text);
    case "object":
      return parseObject(text);
    default:
      if (schema.pattern && !new RegExp(schema.pattern, "u").test(text)) return undefined;
      return text;
  }
}

function parseNumber({ type, minimum, maximum }: ParameterSchema, text: string) {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value) || (type === "integer" && !Number.isInteger(value))) return undefined;
  if (minimum !== undefined && value < minimum) return undefined;
  return maximum !== undefined && value > maximum ? undefined : value;
}

function parseList({ items = {} }: ParameterSchema, text: string): unknown {
  const json = parseJson(text);
  if (Array.isArray(json)) return json;
  if (items.type === "object") return isObject(json) ? [json] : undefined;
  if (text === "") return [];
  const values = text.split(",").map((one) => parseAs(items, one.trim()));
  return values.includes(undefined) ? undefined : values;
}

function parseObject(text: string): unknown {
  const json = parseJson(text);
  if (json !== undefined) return isObject(json) ? json : undefined;
  const split = text.indexOf("=");
  return split > 0 ? { [text.slice(0, split)]: text.slice(split + 1) } : undefined;
}

/** Parses JSON text, or a file of it after an `@`; undefined if it is none. */
function parseJson(text: string): unknown {
  const source = text.startsWith("@") ? readFileSync(text.slice(1), "utf8") : text;
  try {
    return JSON.parse(source);
  } catch {
    if (source !== text) throw new UsageError(`${text.slice(1)} is not valid JSON.`);
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The allowed values: `a whole number from 1 to 16383`. */
export function describeValues(schema: ParameterSchema): string {
  if (schema.anyOf) return schema.anyOf.map(describeValues).join(" or ");
  if (schema.enum) return schema.enum.join(", ").replace(/, ([^,]+)$/, " or $1");
  const { minimum, maximum, type, items } = schema;
  if (type === "number" || type === "integer") {
    const noun = type === "integer" ? "a whole number" : "a number";
    if (minimum !== undefined && maximum !== undefined)
      return `${noun} from ${minimum} to ${maximum}`;
    return minimum === undefined ? noun : `${noun} of at least ${minimum}`;
  }
  if (type === "array") {
    if (items?.type === "object") return "a JSON list of objects or @file.json";
    return `a list${items?.enum ? ` of ${items.enum.join(", ")}` : ""}, separated by commas`;
  }
  if (type === "object") return "a JSON object, @file.json or key=value";
  if (type === "boolean") return "true or false";
  return schema.pattern ? `a text of the form ${schema.pattern}` : "a text";
}
