import { inputSchema, outputSchema } from "#lib/api/http/schema-messages.ts";
import type { Operation } from "#lib/operations/define.ts";
import { TypeScriptTypes, toComment } from "./typescript-types.ts";

/** What a client sends and what it must not change: everything is read-only. */
const types = new TypeScriptTypes({ isReadonly: true });

/** The types of the operations for the TypeScript SDK, from the schemas that validate requests. */
export function renderSdkTypes(operations: readonly Operation[]): string {
  const entries = operations.map((operation) => {
    const { id, inputs, files = {} } = operation;
    const count = inputs.max === 0 ? "none" : inputs.max === 1 ? "one" : "many";
    const parts = Object.entries(files).map(
      ([part, { required }]) => `${part}: "${required ? "required" : "optional"}"`,
    );
    return [
      `  /** ${toComment(operation.summary)} */`,
      `  ${JSON.stringify(id)}: {`,
      `    inputs: "${count}";`,
      `    files: ${parts.length > 0 ? `{ ${parts.join("; ")} }` : "unknown"};`,
      `    params: ${types.typeOf(inputSchema(operation.params), "    ")};`,
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
  const type = types.typeOf(outputSchema(result), "    ");
  return result.safeParse(undefined).success ? `${type} | null` : type;
}
