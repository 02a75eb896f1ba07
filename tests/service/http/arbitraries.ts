import fc from "fast-check";
import type { JsonSchema } from "./openapi.ts";

/** Values generated from JSON Schemas, and values that no schema expects. */

/** Well-formed URLs that are rejected before a connection is opened. */
export const closedUrls = [
  "http://127.0.0.1:1/",
  "http://127.0.0.1:1/%E9?q=1&q=%00#f",
  "HTTP://[::1]:1/x.png",
  "https://localhost:1/ü",
];

/** Text that breaks careless code: control characters, lone surrogates, bidirectional marks, names of prototypes. */
const oddTexts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "x\udfff",
  "\u202egnp.exe",
  "\ufeff",
  "👩‍👩‍👧‍👦".repeat(60),
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "-0",
  "1e309",
  "0x10",
  "../../etc/passwd",
  "%00",
  "'; select 1 --",
  "<script>",
  "a".repeat(5000),
];

export const oddText = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);

const oddNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 1e21, 0.1 + 0.2),
  fc.double({ noNaN: true }),
  fc.integer(),
);

/** Any value that JSON can carry. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], { "": "" }, { length: 3 }, ["a"]),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values that a schema allows, according to the keywords that this function knows. */
export function validFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map(validFor));
  switch (schema.type) {
    case "string":
      return allowedText(schema);
    case "integer":
      return fc.integer(bounds(schema, -(2 ** 31), 2 ** 31 - 1));
    case "number":
      return fc.double({ ...bounds(schema, -1e9, 1e9), noNaN: true });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(validFor(asSchema(schema.items)), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(Number(schema.maxItems ?? 3), 3),
      });
    case "object":
      return allowedObject(schema);
    default:
      return oddValue;
  }
}

const timestamp = fc
  .date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true })
  .map((at) => at.toISOString());

function allowedText({ format, pattern, minLength, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === "uri") return fc.constantFrom(...closedUrls);
  if (format === "date-time") return timestamp;
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern));
  const length = { minLength: Number(minLength ?? 0), maxLength: Number(maxLength ?? 50) };
  return fc.string({ ...length, unit: "grapheme", size: "small" });
}

function bounds({ minimum, maximum }: JsonSchema, low: number, high: number) {
  return { min: Number(minimum ?? low), max: Math.min(Number(maximum ?? high), high) };
}

function allowedObject(schema: JsonSchema): fc.Arbitrary<object> {
  const { properties, required = [], additionalProperties } = schema;
  if (!properties) {
    const value = additionalProperties ? validFor(asSchema(additionalProperties)) : oddValue;
    return fc.dictionary(fc.string({ maxLength: 10 }), value, { maxKeys: 4 });
  }
  const fields = Object.entries(properties).map(([name, one]) => [name, validFor(one)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
}

function asSchema(value: unknown): JsonSchema {
  // Schemas hold schemas there; `true` and `{}` allow everything.
  return typeof value === "object" && value !== null ? (value as JsonSchema) : {};
}
