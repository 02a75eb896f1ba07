import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { maxUrlLength } from "#lib/net/guard.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { type FieldSchema, inputSchema } from "./http/schema-messages.ts";

const address: FieldSchema = {
  type: "string",
  format: "uri",
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/]",
  maxLength: maxUrlLength,
};

const upload: FieldSchema = { type: "string", pattern: "^upload_[0-9A-Za-z]{24}$" };

/** A field that holds an http or https address. */
export function addressField(description: string): FieldSchema {
  return { ...address, description };
}

/** A field that names a file: by its address, or by an upload made before. */
export function fileField(description: string): FieldSchema {
  const how = "Its http or https address, or the id of an upload.";
  return { anyOf: [address, upload], description: `${description} ${how}` };
}

/** The JSON Schema of an operation's parameters, with the addresses of its further files. */
export function parameterSchema(operation: Operation): Required<Pick<FieldSchema, "properties">> & {
  required: string[];
} {
  const schema: FieldSchema & { required?: readonly string[] } = inputSchema(operation.params);
  const properties = { ...schema.properties };
  const required = [...(schema.required ?? [])];
  for (const [part, file] of Object.entries(operation.files ?? {})) {
    properties[`${part}_url`] = fileField(
      `${file.description} In multipart also a file part named ${part}.`,
    );
    // As a file part it may come instead, so only a JSON body must have it; the server checks both.
    if (file.required) required.push(`${part}_url`);
  }
  return { properties, required };
}

/** Parameters that run, the addresses of the further files among them. */
function parameterExample({ files = {}, example }: Operation): Record<string, unknown> {
  const addresses = Object.entries(files)
    .filter(([, file]) => file.required)
    .map(([part, { accepts }]) => [`${part}_url`, exampleAddress(part, accepts)]);
  return { ...Object.fromEntries(addresses), ...example };
}

/** The JSON body of a request that is accepted as it is written. */
export function requestExample(operation: Operation): Record<string, unknown> {
  const input = exampleAddress(operation.group, operation.accepts);
  return { input, ...parameterExample(operation) };
}

/** `https://example.com/watermark.png`: an address of a file that may be of the first of the types. */
function exampleAddress(name: string, [type = "unknown"]: readonly MediaTypeId[]): string {
  return `https://example.com/${name}.${mediaType(type).extension}`;
}

/** `GET /v1/operations`: the catalogue. */
export async function answerOperations(): Promise<Response> {
  const catalogue = operations.map((operation) => ({
    id: operation.id,
    summary: operation.summary,
    accepts: operation.accepts.map((id) => mediaType(id).mime),
    parameters: { type: "object", ...parameterSchema(operation), additionalProperties: false },
    example: parameterExample(operation),
  }));
  return Response.json(
    { operations: catalogue },
    { headers: { "Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=60" } },
  );
}
