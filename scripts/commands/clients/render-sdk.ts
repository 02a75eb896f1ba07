import type { FieldSchema, ObjectSchema } from "#lib/api/http/schema-messages.ts";
import { inputSchema, outputSchema } from "#lib/api/http/schema-messages.ts";
import type { Operation } from "#lib/operations/define.ts";

/** The types of the operations for the TypeScript SDK, from the schemas that validate requests. */
export function renderSdkTypes(operations: readonly Operation[]): string {
  const entries = operations.map((operation) => {
    const { id, inputs, files = {} } = operation;
    const count = inputs.max === 0 ? "none" : inputs.max === 1 ? "one" : "many";
    const parts = Object.entries(files).map(
      ([part, { required }]) => `${part}: "${required ? "required" : "optional"}"`,
    );
    return [
      `  /** ${commentText(operation.summary)} */`,
      `  ${JSON.stringify(id)}: {`,
      `    inputs: "${count}";`,
      `    files: ${parts.length > 0 ? `{ ${parts.join("; ")} }` : "unknown"};`,
      `    params: ${typeOf(inputSchema(operation.params), "    ")};`,
      `    result: ${resultType(operation)};`,
      "  };",
    ].join("\n");
  });
  const groups = Map.groupBy(
    operations.filter(({ inputs }) => inputs.max === 1),
    ({ id }) => id.split("/")[1] ?? id,
  );
  const names = [...groups].map(
    ([name, own]) => `  ${JSON.stringify(name)}: ${JSON.stringify(own.map(({ group }) => group))},`,
  );
  return [
    "/** The operations with their parameters, by id. */",
    `export interface Operations {\n${entries.join("\n")}\n}`,
    "",
    "/** The groups that have an operation of each name, of those that a chain can have. */",
    `export const groupsByName: Readonly<Record<string, readonly string[]>> = {\n${names.join("\n")}\n};`,
    "",
  ].join("\n");
}

/** The type of the `result` of a job that is completed. */
function resultType({ result }: Operation): string {
  if (!result) return "null";
  const type = typeOf(outputSchema(result), "    ");
  return result.safeParse(undefined).success ? `${type} | null` : type;
}

/** The TypeScript type of what a JSON Schema describes. */
function typeOf(schema: FieldSchema, indent: string): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) {
    return [...new Set(schema.anyOf.map((one) => typeOf(one, indent)))].join(" | ");
  }
  switch (schema.type) {
    case "number":
    case "integer":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "array": {
      const item = schema.items ? typeOf(schema.items, indent) : "unknown";
      return item.includes("|") ? `readonly (${item})[]` : `readonly ${item}[]`;
    }
    case "object":
      return objectType(schema, indent);
    default:
      return "unknown";
  }
}

function objectType(schema: ObjectSchema, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = Object.keys(properties);
  if (names.length === 0) {
    if (additionalProperties === false) return "Record<never, never>";
    const value =
      typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown";
    return `Readonly<Record<string, ${value}>>`;
  }
  const inner = `${indent}  `;
  const lines = names.flatMap((name) => {
    const property = properties[name] ?? {};
    const mark = required.includes(name) ? "" : "?";
    const initial =
      property.default === undefined ? "" : ` Default: ${JSON.stringify(property.default)}.`;
    const text = `${property.description ?? ""}${initial}`.trim();
    const comment = text ? [`${inner}/** ${commentText(text)} */`] : [];
    const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
    return [...comment, `${inner}${key}${mark}: ${typeOf(property, inner)};`];
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

const commentText = (text: string) => text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ");
