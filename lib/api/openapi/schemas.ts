import { z } from "zod";
import type { JsonSchema } from "../definition/endpoint.ts";

/** Schemas of response bodies, by their id. The document defines each once. */
export type SchemaComponents = Record<string, JsonSchema>;

/**
 * The JSON Schema of a response body. A schema with an id, such as `Job`, becomes a component and
 * the result refers to it.
 */
export function responseSchema(schema: z.ZodType, components: SchemaComponents): JsonSchema {
  const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io: "output" });
  for (const [id, definition] of Object.entries($defs)) {
    components[id] ??= simplify(definition);
  }
  return simplify(root);
}

/** Removes what Zod adds without narrowing a schema, and points references to the components. */
function simplify(schema: object): JsonSchema {
  const entries = Object.entries(schema).filter(([keyword, value]) => !isRedundant(keyword, value));
  const simple = Object.fromEntries(
    entries.map(([keyword, value]) => [keyword, simplifyValue(keyword, value)]),
  );
  if ("enum" in simple || "const" in simple) delete simple.type;
  if ("format" in simple) delete simple.pattern;
  return mergeNull(simple);
}

function simplifyValue(keyword: string, value: unknown): unknown {
  if (keyword === "$ref") return String(value).replace("#/$defs/", "#/components/schemas/");
  if (keyword === "properties") {
    const fields = Object.entries(Object(value)).map(([name, one]) => [
      name,
      simplify(Object(one)),
    ]);
    return Object.fromEntries(fields);
  }
  if (keyword === "enum" || keyword === "required" || keyword === "type") return value;
  if (Array.isArray(value)) return value.map((one) => simplify(one));
  return typeof value === "object" && value !== null ? simplify(value) : value;
}

function isRedundant(keyword: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  return (
    (keyword === "additionalProperties" && text === "{}") ||
    (keyword === "propertyNames" && text === '{"type":"string"}') ||
    (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER)
  );
}

/** A nullable schema as one schema instead of a union with null. References stay in the union. */
function mergeNull(schema: Record<string, unknown>): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1].type !== "null") return schema;
  const [value] = anyOf;
  if ("enum" in value) return { ...value, enum: [...value.enum, null], ...rest };
  return "type" in value ? { ...value, type: [value.type, "null"], ...rest } : schema;
}
