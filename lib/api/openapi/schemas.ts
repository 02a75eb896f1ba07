import { jobStatuses } from "#lib/db/schema/jobs.ts";
import { deliveryStatuses, webhookDeliveries } from "#lib/db/schema/webhook-deliveries.ts";
import { jobErrorFault } from "#lib/errors.ts";
import { operationGroups } from "#lib/operations/define.ts";
import { planNames } from "#lib/plans.ts";
import { inputSchema } from "../http/schema-messages.ts";
import { metadataSchema } from "../job-request.ts";

/** The forms of the answers' bodies, each once; paths refer to them. */

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A reference to one of `schemas`. */
export function schemaRef(name: keyof typeof schemas): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A body of JSON in the form of one of `schemas`. */
export function jsonBody(name: keyof typeof schemas): object {
  return { "application/json": { schema: schemaRef(name) } };
}

/** The `$schema` line of a generated schema says nothing inside a document that has one dialect. */
export function withoutDialect(schema: object): JsonSchema {
  const { $schema: _dialect, ...rest } = schema as { $schema?: string };
  return rest;
}

export const metadata = { ...withoutDialect(inputSchema(metadataSchema)), maxProperties: 16 };

const text = { type: "string" };
const number = { type: "number", minimum: 0 };
const integer = { type: "integer", minimum: 0 };
const moment = { type: "string", format: "date-time", description: "RFC 3339, UTC." };
const orNull = (schema: { type: string }, description: string) => ({
  ...schema,
  type: [schema.type, "null"],
  description,
});

const object = (properties: Record<string, object>, optional: string[] = []) => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const deliveryId = { type: "string", pattern: "^whd_[0-9A-Za-z]{24}$" };
const jobId = { type: "string", pattern: "^job_[0-9A-Za-z]{24}$" };

export const schemas = {
  Error: object({ error: { ...text, description: "One sentence that a person can act on." } }),
  Job: object({
    id: { ...jobId, description: "Sortable by time." },
    status: { enum: jobStatuses, description: "The last three are final." },
    operation: { ...text, description: "Such as image/sharpen; chain for several." },
    params: { type: "object", description: "As validated, defaults filled in." },
    progress: { ...number, maximum: 100, description: "Per cent; never falls." },
    input: object({
      filename: orNull(text, "The file's name, once it is known."),
      content_type: orNull(text, "Its media type, told by its content."),
      bytes: orNull(integer, "Its size, once it is known."),
      url: orNull(text, "Where it came from, without query values; null for uploads."),
    }),
    outputs: {
      type: "array",
      items: { $ref: "#/components/schemas/Output" },
      description: "Empty until the job is completed.",
    },
    result: orNull({ type: "object" }, "Data, of operations that answer with data."),
    error: orNull(text, "Why it failed: one sentence."),
    error_code: {
      enum: [...Object.keys(jobErrorFault), null],
      description: "Why it failed, for programs.",
    },
    metadata,
    created_at: moment,
    started_at: orNull(moment, "When a runner took it; RFC 3339, UTC."),
    completed_at: orNull(moment, "When it came to its final state; RFC 3339, UTC."),
  }),
  Output: object(
    {
      filename: text,
      content_type: text,
      bytes: integer,
      url: {
        type: "string",
        format: "uri",
        description: "Signed address of the file; needs no key, and works until expires_at.",
      },
      expires_at: { ...moment, description: "Reading the job again signs the address afresh." },
      width: { ...integer, description: "Pixels." },
      height: { ...integer, description: "Pixels." },
      duration: { ...number, description: "Seconds." },
      pages: integer,
    },
    ["width", "height", "duration", "pages"],
  ),
  JobList: object({
    jobs: { type: "array", items: { $ref: "#/components/schemas/Job" } },
    limit: { ...integer, description: "As asked." },
    offset: { ...integer, description: "As asked." },
  }),
  Upload: object({
    id: { type: "string", pattern: "^upload_[0-9A-Za-z]{24}$", description: "To name as input." },
    url: { type: "string", format: "uri", description: "Signed address that takes the file once." },
    method: { const: "PUT" },
    headers: {
      type: "object",
      additionalProperties: text,
      description: "Headers to send along.",
    },
    expires_at: moment,
  }),
  Delivery: object({
    id: { ...deliveryId, description: "The webhook-id, the same at every attempt." },
    job: orNull(jobId, "Null for a test."),
    type: { enum: webhookDeliveries.event.enumValues },
    url: text,
    status: { enum: deliveryStatuses },
    attempts: {
      type: "array",
      items: object({
        at: moment,
        status: orNull(integer, "The answer's; null where none came."),
        duration_ms: number,
        response: { ...text, description: "The first KiB of the answer, or why there was none." },
      }),
    },
    next_attempt_at: orNull(moment, "Null once there will be none."),
    created_at: moment,
  }),
  DeliveryList: object({
    deliveries: { type: "array", items: { $ref: "#/components/schemas/Delivery" } },
    limit: { ...integer, description: "As asked." },
    offset: { ...integer, description: "As asked." },
  }),
  Usage: object({
    plan: { enum: planNames },
    gb_used: { ...number, description: "1 GB is 10⁹ bytes." },
    gb_included: orNull(number, "null is unlimited."),
    gb_remaining: orNull(number, "null is unlimited."),
    total_jobs: { ...integer, description: "Jobs accepted, whatever became of them." },
  }),
  OperationList: object({
    operations: {
      type: "array",
      items: object({
        id: { type: "string", pattern: `^(${operationGroups.join("|")})/[a-z][a-z0-9-]*$` },
        summary: text,
        accepts: { type: "array", items: text, description: "Media types of the input." },
        parameters: { type: "object", description: "JSON Schema of the parameters." },
        example: { type: "object", description: "Parameters that run." },
      }),
    },
  }),
  Health: object({ status: { const: "ok" } }),
  Readiness: object({
    status: { enum: ["ready", "unavailable"] },
    database: { enum: ["ok", "missing"] },
    media_runner: { enum: ["ok", "missing"] },
    media_runners: { ...integer, description: "How many are alive." },
    sandbox: {
      ...text,
      description: "`full`: engines see no network and only their job's folder. `off`: no sandbox.",
    },
    limits: {
      type: "object",
      additionalProperties: text,
      description:
        "What ends an engine that uses too much `memory` or too many `processes`: the kernel (`cgroup v1`, `cgroup v2`, `rlimit`) or the runner (`watch`).",
    },
    engines: {
      type: "object",
      additionalProperties: { type: ["string", "null"] },
      description: "Version of each engine; null is missing.",
    },
  }),
  Document: { type: "object", description: "This document." },
} as const;
