import { metadataSchema } from "#lib/jobs/metadata.ts";
import type { FilePart } from "#lib/operations/define.ts";
import type { JsonSchema, ResponseDefinition, StreamBody } from "../definition/endpoint.ts";
import { inputSchema } from "../http/schema-messages.ts";
import { urlSchema } from "../http/url-field.ts";
import { keepField, targetField } from "./export-target.ts";
import type { InputField } from "./request-schema.ts";

/** What the OpenAPI document says about all job-creating requests: their bodies and responses. */

interface JobBody {
  /** JSON Schemas of the parameters, including the URLs of file parts. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  /** Parameters that a form carries as JSON text. */
  readonly jsonTexts?: readonly string[];
  /** File parts in addition to the main file. */
  readonly files?: Readonly<Record<string, FilePart>>;
  /** The field of the inputs; undefined if there are none. */
  readonly input: InputField | undefined;
  readonly example: JsonSchema;
}

const webhookDescription =
  "URL that receives the job's webhook: public, on port 80 or 443. One that can never be called is rejected.";

const metadata = inputSchema(metadataSchema);

/** The body as JSON and as multipart. `input` names the file in both; a form can also contain it. */
export function jobRequestBody(body: JobBody): StreamBody {
  const { input, properties, required, jsonTexts = [], files = {}, example } = body;
  const webhookUrl = { ...urlSchema, description: webhookDescription };
  const fields: Record<string, JsonSchema> = {
    ...(input ? { [input.name]: input.schema } : {}),
    ...properties,
    webhook_url: webhookUrl,
    metadata,
    output: targetField,
    keep: keepField,
  };
  const parts = Object.entries(files);
  const texts = ["metadata", "output", ...jsonTexts].map((name) => [
    name,
    jsonText(fields[name] ?? {}),
  ]);
  const requiredInForm = required.filter((name) => !parts.some(([part]) => name === `${part}_url`));
  const { inputs: _, ...formFields } = fields;
  const conditions = [
    ...(input?.name === "input" ? [eitherOf("file", "input")] : []),
    ...(input?.name === "inputs" ? [anyOf("file", "input")] : []),
    ...parts.map(([part, { required, insteadOf }]) =>
      insteadOf !== undefined
        ? eitherOf(insteadOf, part, `${part}_url`)
        : required
          ? eitherOf(part, `${part}_url`)
          : notBoth(part, `${part}_url`),
    ),
  ];
  const form = {
    type: "object",
    properties: {
      ...formInputs(input),
      ...Object.fromEntries(parts.map(([part, { description }]) => [part, filePart(description)])),
      ...formFields,
      ...Object.fromEntries(texts),
    },
    ...(requiredInForm.length > 0 ? { required: requiredInForm } : {}),
    additionalProperties: false,
    ...(conditions.length > 0 ? { allOf: conditions } : {}),
  };
  const choices = parts.flatMap(([part, { insteadOf }]) =>
    insteadOf === undefined ? [] : [{ oneOf: [insteadOf, `${part}_url`].map(requireText) }],
  );
  const json = {
    type: "object",
    properties: fields,
    required: [...(input ? [input.name] : []), ...required],
    additionalProperties: false,
    ...(choices.length > 0 ? { allOf: choices } : {}),
  };
  return {
    kind: "stream",
    content: {
      "application/json": { schema: json, example },
      "multipart/form-data": { schema: form },
    },
  };
}

type ResponseBody = Pick<ResponseDefinition, "body" | "content">;

/** The responses to a job-creating request. `body` describes the job. */
export function jobResponses<Body extends ResponseBody>(body: Body) {
  const headers = ["Location", "Idempotency-Replayed"] as const;
  return {
    200: {
      description: "The job has ended within the requested wait.",
      headers: [...headers, "Preference-Applied"],
      ...body,
    },
    202: { description: "The job is accepted.", headers, ...body },
  } as const;
}

/** Error codes of job-creating requests, in addition to those of access. */
export const jobErrors = [
  "conflict",
  "too_large",
  "unsupported_media_type",
  "idempotency_conflict",
  "usage_limit_reached",
] as const;

/** The fields of a form for its inputs. Several are repeated fields, in order. */
function formInputs(input: InputField | undefined): Record<string, JsonSchema> {
  if (!input) return {};
  if (input.name === "input") return { file: filePart("The file itself, instead of input.") };
  const { items, description } = input.schema;
  const order = "Repeated, in order, and mixed with the other field.";
  return {
    file: { type: "array", items: filePart("A file."), description: `The files. ${order}` },
    input: { type: "array", items, description: `${description ?? ""} ${order}` },
  };
}

function jsonText(schema: JsonSchema): JsonSchema {
  return {
    type: "string",
    contentMediaType: "application/json",
    contentSchema: schema,
    description: `${schema.description ?? ""} As JSON text.`,
  };
}

function filePart(description: string): JsonSchema {
  return { type: "string", contentMediaType: "application/octet-stream", description };
}

function eitherOf(...names: string[]): JsonSchema {
  return { oneOf: names.map((name) => ({ required: [name] })) };
}

/** An object with this text. Its type is named for validators that ignore `required` without one. */
function requireText(name: string): JsonSchema {
  return { type: "object", properties: { [name]: { type: "string" } }, required: [name] };
}

function anyOf(...names: string[]): JsonSchema {
  return { anyOf: names.map((name) => ({ required: [name] })) };
}

function notBoth(...names: string[]): JsonSchema {
  return { not: { required: names } };
}
