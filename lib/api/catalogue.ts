import { mediaType } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { operations } from "#lib/operations/index.ts";
import { type FieldSchema, inputSchema } from "./allowed.ts";

/** The JSON Schema of an operation's parameters, with the addresses of its further files. */
export function parameterSchema(operation: Operation): Required<Pick<FieldSchema, "properties">> & {
  required: string[];
} {
  const schema: FieldSchema & { required?: readonly string[] } = inputSchema(operation.params);
  const properties = { ...schema.properties };
  const required = [...(schema.required ?? [])];
  for (const [part, file] of Object.entries(operation.files ?? {})) {
    properties[`${part}_url`] = {
      type: "string",
      description: `${file.description} In multipart also a file part named ${part}.`,
    };
    // As a file part it may come instead, so only a JSON body must have it; the server checks both.
    if (file.required) required.push(`${part}_url`);
  }
  return { properties, required };
}

/** `GET /v1/operations`: the catalogue. */
export async function answerOperations(): Promise<Response> {
  const catalogue = operations.map((operation) => ({
    id: operation.id,
    summary: operation.summary,
    accepts: operation.accepts.map((id) => mediaType(id).mime),
    parameters: { type: "object", ...parameterSchema(operation), additionalProperties: false },
    example: operation.example,
  }));
  return Response.json(
    { operations: catalogue },
    { headers: { "Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=60" } },
  );
}
