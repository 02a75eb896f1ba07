import { z } from "zod";

/** The parts of JSON Schema that our parameters use. */
export interface FieldSchema {
  readonly type?: "string" | "number" | "integer" | "boolean" | "object" | "array";
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly FieldSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
}

/** For parses whose error is told by `describeIssue`. */
export const reportInput = { reportInput: true } as const;

/** The JSON Schema of what a client sends for `schema`. */
export function inputSchema(schema: z.ZodType): FieldSchema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as FieldSchema;
}

/** "a number from 0.1 to 10": what a field may hold, for sentences that people read. */
export function describeAllowed(schema: FieldSchema): string {
  if (schema.enum) return `one of ${schema.enum.join(", ")}`;
  if (schema.anyOf) return schema.anyOf.map(describeAllowed).join(" or ");
  const { minimum, maximum, minLength, maxLength } = schema;
  switch (schema.type) {
    case "number":
    case "integer": {
      const noun = schema.type === "integer" ? "an integer" : "a number";
      const safe = (bound: number | undefined) =>
        bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
      if (safe(minimum) && safe(maximum)) return `${noun} from ${minimum} to ${maximum}`;
      if (safe(minimum)) return `${noun} of at least ${minimum}`;
      return safe(maximum) ? `${noun} of at most ${maximum}` : noun;
    }
    case "string":
      if (maxLength !== undefined) return `text of ${minLength ?? 0} to ${maxLength} characters`;
      return minLength ? "text that is not empty" : "text";
    case "boolean":
      return "true or false";
    case "object":
      return "an object";
    case "array":
      return "a list";
    default:
      return "a valid value";
  }
}

/**
 * The first thing that is wrong, as one sentence that names the field and what is allowed. `error` is
 * of a parse with `reportInput`, which tells what is missing from what is wrong.
 */
export function describeIssue(error: z.ZodError, schema: FieldSchema): string {
  const issue = error.issues[0];
  if (!issue) return "The request is not valid.";
  if (issue.code === "unrecognized_keys") {
    const allowed = Object.keys(schema.properties ?? {}).join(", ");
    const name = showName(issue.keys[0] ?? "");
    return allowed
      ? `${name} is not a parameter of this operation; allowed are ${allowed}.`
      : `${name} is not a parameter; this operation takes none.`;
  }
  const field = String(issue.path[0] ?? "The request");
  const allowed = schema.properties?.[field];
  const isMissing = issue.path.length === 1 && issue.input === undefined;
  if (isMissing && allowed) return `${field} is required: ${describeAllowed(allowed)}.`;
  // Messages of our own say what is allowed themselves: "must be a hex colour such as #ffffff".
  const isOurs = /^must\b/.test(issue.message);
  if (isOurs || !allowed) return `${field} ${isOurs ? issue.message : "is not valid"}.`;
  return `${field} must be ${describeAllowed(allowed)}.`;
}

/** A field's name from outside, if it looks like a name; it is never a place to smuggle text into an answer. */
export function showName(name: string): string {
  return /^[A-Za-z][A-Za-z0-9_-]{0,40}$/.test(name) ? name : "A field";
}
