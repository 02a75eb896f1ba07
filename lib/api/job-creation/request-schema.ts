import { describeTypes, type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { type FieldSchema, inputSchema } from "../http/schema-messages.ts";
import { urlSchema } from "../http/url-field.ts";

const uploadSchema: FieldSchema = { type: "string", pattern: "^upload_[0-9A-Za-z]{24}$" };

const connectionFileSchema: FieldSchema = {
  type: "string",
  pattern: "^conn_[0-9A-Za-z]{24}:[^/]",
};

/** The ways in which a field names a file: its URL, the id of an upload, or a file in a connection. */
const fileSchemas = [urlSchema, uploadSchema, connectionFileSchema];

/** A field that names a file. */
export function fileField(description: string): FieldSchema {
  const values =
    "An http or https URL, the id of an upload, or a file in a connection: `conn_…:folder/file.mp4`.";
  return { anyOf: fileSchemas, description: `${description} ${values}` };
}

interface ParameterSchema {
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
}

/** The JSON Schema of an operation's parameters, including the URLs of its file parts. */
export function parameterSchema(operation: Operation): ParameterSchema {
  const schema: FieldSchema & Partial<ParameterSchema> = inputSchema(operation.params);
  const files = Object.entries(operation.files ?? {});
  const urls = files.map(([part, { description }]) => {
    const field = fileField(`${description} In multipart also a file part named ${part}.`);
    return [`${part}_url`, field] as const;
  });
  // Required in JSON only: in multipart the file part can replace it.
  const requiredUrls = files.filter(([, file]) => file.required).map(([part]) => `${part}_url`);
  return {
    properties: { ...schema.properties, ...Object.fromEntries(urls) },
    required: [...(schema.required ?? []), ...requiredUrls],
  };
}

/** Valid parameters, including the URLs of the file parts. */
export function parameterExample({ files = {}, example }: Operation): Record<string, unknown> {
  const urls = Object.entries(files)
    .filter(([, file]) => file.required)
    .map(([part, { accepts }]) => [`${part}_url`, exampleUrl(part, accepts)]);
  return { ...Object.fromEntries(urls), ...example };
}

/** A valid JSON body of a request. */
export function requestExample(operation: Operation): Record<string, unknown> {
  const { inputs, accepts, group } = operation;
  if (inputs.max === 0) return parameterExample(operation);
  if (inputs.max === 1)
    return { input: exampleUrl(group, accepts), ...parameterExample(operation) };
  const urls = Array.from({ length: Math.max(inputs.min, 2) }, (_, index) =>
    exampleUrl(`${group}-${index + 1}`, accepts),
  );
  return { inputs: urls, ...parameterExample(operation) };
}

/** The field of an operation's inputs; undefined if it takes no file. */
export function inputField({ accepts, inputs: { min, max } }: Operation): InputField | undefined {
  if (max === 0) return undefined;
  const types = describeTypes(accepts);
  if (max === 1) return { name: "input", schema: fileField(`The file: ${types}.`) };
  const items = { anyOf: fileSchemas };
  const bounds = { minItems: min, maxItems: max };
  const description = `${min} to ${max} files in order, each ${types}. URLs, ids of uploads, or files in connections.`;
  return { name: "inputs", schema: { type: "array", items, ...bounds, description } };
}

/** A field of the request with one file, or with several. */
export interface InputField {
  readonly name: "input" | "inputs";
  readonly schema: FieldSchema;
}

/** The URL of a file of the first type, such as `https://example.com/watermark.png`. */
function exampleUrl(name: string, [type = "unknown"]: readonly MediaTypeId[]): string {
  return `https://example.com/${name}.${mediaType(type).extension}`;
}
