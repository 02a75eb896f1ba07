import { jobStatuses } from "#lib/db/schema/jobs.ts";
import { env } from "#lib/env.ts";
import { jobErrorBlame, type RequestErrorCode, requestErrorStatus } from "#lib/errors.ts";
import { mediaType } from "#lib/media/types.ts";
import type { Operation, OperationGroup } from "#lib/operations/define.ts";
import { operations } from "#lib/operations/index.ts";
import { inputSchema } from "./allowed.ts";
import { parameterSchema } from "./catalogue.ts";
import { metadataSchema } from "./job-request.ts";
import { listQuery } from "./read-jobs.ts";

const tags: Record<OperationGroup, string> = {
  document: "Document",
  image: "Image",
  video: "Video",
  audio: "Audio",
  pipeline: "Pipeline",
};

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const nullable = (type: string, more: object = {}) => ({ type: [type, "null"], ...more });
const moment = { type: "string", format: "date-time" };
const json = (schema: object) => ({ "application/json": { schema } });

/** `GET /openapi.json`: the whole API as OpenAPI 3.1, made from the catalogue and the schemas in force. */
export async function answerOpenApi(): Promise<Response> {
  return Response.json(openApiDocument(), {
    headers: { "Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=60" },
  });
}

export function openApiDocument() {
  return {
    openapi: "3.1.0",
    info: {
      title: "Mediamill",
      version: "1.0.0",
      description: "Media processing over HTTP: every transformation is a background job.",
    },
    servers: [{ url: env.APP_URL }],
    tags: [...Object.values(tags), "Jobs", "Account"].map((name) => ({ name })),
    security: [{ ApiKey: [] }, { Bearer: [] }],
    paths: {
      ...Object.fromEntries(
        operations.map((one) => [`/v1/${one.id}`, { post: operationPath(one) }]),
      ),
      ...jobPaths,
      ...accountPaths,
    },
    components: {
      securitySchemes: {
        ApiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
        Bearer: { type: "http", scheme: "bearer" },
      },
      schemas,
    },
  };
}

function operationPath(operation: Operation) {
  const { properties, required } = parameterSchema(operation);
  const common = {
    webhook_url: {
      type: "string",
      description: "Address that gets the job's completion notification.",
    },
    metadata: inputSchema(metadataSchema),
  };
  const accepted = operation.accepts.map((id) => mediaType(id).label).join(", ");
  const parts = Object.keys(operation.files ?? {});
  const formRequired = required.filter((name) => !parts.some((part) => name === `${part}_url`));
  return {
    tags: [tags[operation.group]],
    operationId: operation.id.replaceAll(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: operation.summary,
    description: `Takes ${accepted}.`,
    parameters: createHeaders,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { input: inputAddress, ...properties, ...common },
            required: ["input", ...required],
            additionalProperties: false,
          },
          example: { input: "https://example.com/file", ...operation.example },
        },
        "multipart/form-data": {
          schema: {
            type: "object",
            properties: {
              file: binaryPart("The file."),
              input: inputAddress,
              ...Object.fromEntries(
                parts.map((part) => [part, binaryPart(operation.files?.[part]?.description ?? "")]),
              ),
              ...properties,
              ...common,
              metadata: { type: "string", description: "The metadata object as JSON text." },
            },
            required: formRequired,
            additionalProperties: false,
          },
        },
      },
    },
    responses: {
      200: {
        description: "The job has ended within the wait that was asked for.",
        headers: { ...requestId, "Preference-Applied": text },
        content: json(ref("Job")),
      },
      202: {
        description: "The job is accepted.",
        headers: { ...requestId, Location: text },
        content: json(ref("Job")),
      },
      ...refusals(
        "invalid_request",
        "unauthorized",
        "not_found",
        "too_large",
        "unsupported_media_type",
        "usage_limit_reached",
        "unavailable",
        "internal",
      ),
    },
  };
}

const text = { schema: { type: "string" } };
const requestId = { "X-Request-Id": text };
const inputAddress = { type: "string", description: "Address of the file, http or https." };
const binaryPart = (description: string) => ({
  type: "string",
  contentMediaType: "application/octet-stream",
  description,
});

const createHeaders = [
  {
    name: "Prefer",
    in: "header",
    schema: { type: "string", pattern: "^wait=([1-9]|[1-5][0-9]|60)$" },
    description: "`wait=N`, 1 to 60: answer when the job has ended, or after N seconds.",
  },
];

const jobId = {
  name: "id",
  in: "path",
  required: true,
  schema: { type: "string", pattern: "^job_[0-9A-Za-z]{24}$" },
};

const jobPaths = {
  "/v1/jobs": {
    get: {
      tags: ["Jobs"],
      operationId: "listJobs",
      summary: "List jobs, newest first.",
      parameters: Object.entries(inputSchema(listQuery).properties ?? {}).map(([name, schema]) => ({
        name,
        in: "query",
        schema,
        ...(schema.description ? { description: schema.description } : {}),
      })),
      responses: {
        200: {
          description: "A page of jobs.",
          headers: { ...requestId, "X-Total-Count": { schema: { type: "integer" } }, Link: text },
          content: json(ref("JobList")),
        },
        ...refusals("invalid_parameter", "unauthorized", "unavailable", "internal"),
      },
    },
  },
  "/v1/jobs/{id}": {
    get: {
      tags: ["Jobs"],
      operationId: "readJob",
      summary: "Read a job, at once or when it has ended.",
      parameters: [
        jobId,
        {
          name: "wait",
          in: "query",
          schema: { type: "integer", minimum: 1, maximum: 60 },
          description: "Answer when the job has ended, or after so many seconds.",
        },
      ],
      responses: {
        200: { description: "The job.", headers: requestId, content: json(ref("Job")) },
        ...refusals("invalid_parameter", "unauthorized", "not_found", "unavailable", "internal"),
      },
    },
  },
  "/v1/jobs/{id}/output": { get: outputPath("readOutput", "Download the first output.", [jobId]) },
  "/v1/jobs/{id}/outputs/{index}": {
    get: outputPath("readOutputAt", "Download an output by its number, counted from 0.", [
      jobId,
      { name: "index", in: "path", required: true, schema: { type: "integer", minimum: 0 } },
    ]),
  },
};

function outputPath(operationId: string, summary: string, parameters: object[]) {
  const file = {
    "*/*": { schema: { type: "string", contentMediaType: "application/octet-stream" } },
  };
  const headers = { ...requestId, "Content-Disposition": text, ETag: text, "Accept-Ranges": text };
  return {
    tags: ["Jobs"],
    operationId,
    summary,
    parameters: [...parameters, { name: "Range", in: "header", schema: { type: "string" } }],
    responses: {
      200: { description: "The file.", headers, content: file },
      206: { description: "The range of the file that was asked for.", headers, content: file },
      304: { description: "The file is the one that the client has." },
      416: { description: "The range lies outside of the file." },
      ...refusals("unauthorized", "not_found", "conflict", "gone", "unavailable", "internal"),
    },
  };
}

const accountPaths = {
  "/v1/usage": {
    get: {
      tags: ["Account"],
      operationId: "readUsage",
      summary: "Read the usage of the current billing period.",
      responses: {
        200: { description: "The usage.", headers: requestId, content: json(ref("Usage")) },
        ...refusals("unauthorized", "unavailable", "internal"),
      },
    },
  },
  "/v1/operations": {
    get: {
      tags: ["Account"],
      operationId: "listOperations",
      summary: "List the operations with their parameters.",
      security: [],
      responses: {
        200: {
          description: "The catalogue.",
          headers: requestId,
          content: json(ref("OperationList")),
        },
        ...refusals("internal"),
      },
    },
  },
};

function refusals(...codes: RequestErrorCode[]) {
  return Object.fromEntries(
    codes.map((code) => [
      requestErrorStatus[code],
      {
        description: `Refused (${code}).`,
        headers: {
          ...requestId,
          "X-Error-Code": { schema: { enum: Object.keys(requestErrorStatus) } },
        },
        content: json(ref("Error")),
      },
    ]),
  );
}

const object = (properties: Record<string, object>, optional: string[] = []) => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const number = { type: "number" };
const integer = { type: "integer", minimum: 0 };

const schemas = {
  Error: object({ error: { type: "string" } }),
  Job: object({
    id: { type: "string", pattern: "^job_[0-9A-Za-z]{24}$" },
    status: { enum: jobStatuses },
    operation: { type: "string" },
    params: { type: "object" },
    progress: { type: "number", minimum: 0, maximum: 100 },
    input: object({
      filename: nullable("string"),
      content_type: nullable("string"),
      bytes: nullable("integer"),
      url: nullable("string"),
    }),
    outputs: { type: "array", items: ref("Output") },
    result: nullable("object"),
    error: nullable("string"),
    error_code: { enum: [...Object.keys(jobErrorBlame), null] },
    metadata: { type: "object", additionalProperties: { type: "string" } },
    created_at: moment,
    started_at: { ...moment, type: ["string", "null"] },
    completed_at: { ...moment, type: ["string", "null"] },
  }),
  Output: object(
    {
      filename: { type: "string" },
      content_type: { type: "string" },
      bytes: integer,
      url: { type: "string", format: "uri" },
      expires_at: moment,
      width: integer,
      height: integer,
      duration: number,
      pages: integer,
    },
    ["width", "height", "duration", "pages"],
  ),
  JobList: object({ jobs: { type: "array", items: ref("Job") }, limit: integer, offset: integer }),
  Usage: object({
    plan: { type: "string" },
    gb_used: number,
    gb_included: nullable("number"),
    gb_remaining: nullable("number"),
    total_jobs: integer,
  }),
  OperationList: object({
    operations: {
      type: "array",
      items: object({
        id: { type: "string" },
        summary: { type: "string" },
        accepts: { type: "array", items: { type: "string" } },
        parameters: { type: "object" },
        example: { type: "object" },
      }),
    },
  }),
};
