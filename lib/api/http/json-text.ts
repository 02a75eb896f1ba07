import { RequestError } from "#lib/errors.ts";
import { countJsonEntries, maxJsonEntries } from "#lib/json-entries.ts";

/** A depth that no valid request reaches, and that is shallow enough for every recursive walk. */
const maxDepth = 32;

/**
 * Parses JSON of a client. Throws `SyntaxError` for invalid JSON, and `RequestError` for values that
 * take long to parse and check or that schemas do not handle safely: more than 20,000 fields, objects and
 * lists, very deep nesting, and `__proto__`, which most schemas drop.
 */
export function parseJsonText(text: string): unknown {
  requireFewEntries(text);
  const value: unknown = JSON.parse(text);
  requireSafe(value);
  return value;
}

/** Throws `RequestError` for JSON that takes long to parse: with more than 20,000 fields, objects and lists. */
export function requireFewEntries(json: string): void {
  if (countJsonEntries(json) <= maxJsonEntries) return;
  const message = `JSON must have at most ${maxJsonEntries.toLocaleString("en")} fields, objects and lists.`;
  throw new RequestError("invalid_request", message);
}

/** Throws if `value` is nested too deeply or has a field named `__proto__`. */
function requireSafe(value: unknown, depth = 0): void {
  if (typeof value !== "object" || value === null) return;
  if (depth >= maxDepth) {
    const message = `JSON must be nested at most ${maxDepth} levels deep.`;
    throw new RequestError("invalid_request", message);
  }
  if (Object.hasOwn(value, "__proto__")) {
    throw new RequestError("invalid_parameter", "`__proto__` is not allowed as a field name.");
  }
  for (const inner of Object.values(value)) requireSafe(inner, depth + 1);
}
