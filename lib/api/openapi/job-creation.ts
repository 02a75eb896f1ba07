import type { Operation } from "#lib/operations/define.ts";
import { addressField } from "../catalogue.ts";
import { rateHeaderNames, withHeaders } from "./headers.ts";
import { refusals } from "./refusals.ts";
import { type JsonSchema, metadata } from "./schemas.ts";

/** What the requests that make a job have in common: their body and their answers. */

/** A further file of an operation, as a form's part. */
interface PartField {
  readonly part: string;
  readonly required: boolean;
  readonly description: string;
}

export function partFields({ files = {} }: Operation): PartField[] {
  return Object.entries(files).map(([part, { required, description }]) => ({
    part,
    required,
    description,
  }));
}

interface JobBody {
  /** The parameters, the addresses of the further files among them. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  /** Properties whose form in multipart is another: JSON text. */
  readonly textProperties?: Readonly<Record<string, object>>;
  readonly files: readonly PartField[];
  readonly input: object;
  readonly example: Readonly<Record<string, unknown>>;
}

/** The body as JSON and as multipart; the file is a part of the latter, or named by `input` in both. */
export function jobRequestBody(body: JobBody): object {
  const { input, properties, files, example } = body;
  const common = {
    webhook_url: addressField("Address that gets the job's completion notification."),
    metadata,
  };
  const fields = { input, ...properties, ...common };
  const parts = files.map(({ part, description }) => [part, filePart(description)] as const);
  const addresses = files.map(({ part }) => `${part}_url`);
  const required = body.required.filter((name) => !addresses.includes(name));
  const form = {
    type: "object",
    properties: {
      file: filePart("The file itself, in place of input."),
      ...Object.fromEntries(parts),
      ...fields,
      ...body.textProperties,
      metadata: jsonText(metadata),
    },
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    allOf: [
      oneOf("file", "input"),
      ...files.map(({ part, required: must }) =>
        must ? oneOf(part, `${part}_url`) : notBoth(part, `${part}_url`),
      ),
    ],
  };
  const json = {
    type: "object",
    properties: fields,
    required: ["input", ...body.required],
    additionalProperties: false,
  };
  return {
    required: true,
    content: {
      "application/json": { schema: json, example },
      "multipart/form-data": { schema: form },
    },
  };
}

/** The answers to a request that makes a job; `job` is the schema of their body. */
export function jobResponses(job: object): object {
  const content = { "application/json": { schema: job } };
  const headers = withHeaders(...rateHeaderNames, "Location", "Idempotency-Replayed");
  const applied = withHeaders("Preference-Applied");
  return {
    200: {
      description: "The job has ended within the wait that was asked for.",
      headers: { ...headers, ...applied },
      content,
    },
    202: { description: "The job is accepted.", headers, content },
    ...refusals(401, 409, 413, 415, 422, 429, 503),
  };
}

/** A value that a form carries as JSON text. */
export function jsonText(schema: object): JsonSchema {
  const description = "description" in schema ? schema.description : "";
  return {
    type: "string",
    contentMediaType: "application/json",
    contentSchema: schema,
    description: `${description} As JSON text.`,
  };
}

const filePart = (description: string) => ({
  type: "string",
  contentMediaType: "application/octet-stream",
  description,
});

const oneOf = (...names: string[]) => ({ oneOf: names.map((name) => ({ required: [name] })) });

const notBoth = (...names: string[]) => ({ not: { required: names } });
