import { RequestError } from "#lib/errors.ts";

/** Far deeper than anything that we take, and shallow enough for every walk through a value. */
const maxDepth = 32;

/**
 * Parses JSON of a client. Throws `SyntaxError` for what is none, and `RequestError` for what no
 * schema can be trusted to see: nesting without end, and `__proto__`, which most would drop silently.
 */
export function parseJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  requirePlain(value);
  return value;
}

/** Throws where `value` is nested too deeply or has a field named `__proto__`. */
function requirePlain(value: unknown, depth = 0): void {
  if (typeof value !== "object" || value === null) return;
  if (depth >= maxDepth) {
    const sentence = `JSON may be nested at most ${maxDepth} levels deep.`;
    throw new RequestError("invalid_request", sentence);
  }
  if (Object.hasOwn(value, "__proto__")) {
    throw new RequestError("invalid_parameter", "No field may be named __proto__.");
  }
  for (const inner of Object.values(value)) requirePlain(inner, depth + 1);
}
