import { z } from "zod";
import { jobStatuses } from "#lib/db/schema/job-states.ts";
import type { JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { jobErrorCodes } from "#lib/errors.ts";
import { metadataSchema } from "../metadata.ts";
import { signOutput } from "./links.ts";
import { shownParams } from "./params.ts";

const text = z.string();
const count = z.number().int().min(0);
const time = z.iso.datetime().describe("RFC 3339, UTC.");

/** An output file of a job. Width and height in pixels, duration in seconds. */
export const outputSchema = z
  .strictObject({
    filename: text.describe("Named after the input."),
    content_type: text.describe("Its media type."),
    bytes: count.describe("Its size."),
    url: z
      .url()
      .describe("Signed URL of the file. It needs no API key and works until expires_at."),
    expires_at: time.describe("When url expires; RFC 3339, UTC. Read the job again for a new one."),
    width: count.optional().describe("Pixels."),
    height: count.optional().describe("Pixels."),
    duration: z.number().min(0).optional().describe("Seconds."),
    pages: count.optional().describe("Pages of a document."),
    exported: z
      .strictObject({
        url: text.optional().describe("Where it was sent, without its query."),
        connection: text.optional().describe("The connection that it was sent to."),
        path: text.optional().describe("Its path there, below the connection's prefix."),
        etag: text.nullable().describe("The ETag that the store returned; null if it had none."),
        bytes: count.describe("How many bytes the store has accepted."),
      })
      .optional()
      .describe(
        "Where the file was sent, for a request with output. Unless the request had keep, url responds 410 then.",
      ),
  })
  .meta({ id: "Output", description: "An output file of a job." });

export type SerializedOutput = z.infer<typeof outputSchema>;

/** A job as clients see it, in responses, events and webhooks. */
export const jobSchema = z
  .strictObject({
    id: text.regex(/^job_[0-9A-Za-z]{24}$/).describe("Sortable by time."),
    status: z.enum(jobStatuses).describe("The last three are final."),
    operation: text.describe("Such as image/sharpen; chain for several operations."),
    params: z
      .record(text, z.unknown())
      .describe(
        "The validated parameters with their defaults. URLs of further files have no query values. Secret values are ***.",
      ),
    progress: z.number().min(0).max(100).describe("Percent. Never decreases."),
    input: z
      .strictObject({
        filename: text.nullable().describe("The file's name, once it is known."),
        content_type: text.nullable().describe("Its media type, detected from its content."),
        bytes: count.nullable().describe("Its size, once it is known."),
        url: text.nullable().describe("Its URL without query values; null for uploads."),
      })
      .describe("The first input."),
    outputs: z
      .array(outputSchema)
      .describe("Empty until the job is completed, and again once its files are deleted."),
    result: z.record(text, z.unknown()).nullable().describe("Data that the operation returns."),
    warnings: z
      .array(text)
      .describe(
        "What did not stop the job, one sentence each, such as an image that was not found.",
      ),
    error: text.nullable().describe("Why the job failed, for people."),
    error_code: z.enum(jobErrorCodes).nullable().describe("Why the job failed, for programs."),
    metadata: metadataSchema,
    created_at: time.describe("When the job was accepted; RFC 3339, UTC."),
    started_at: time.nullable().describe("When a runner first claimed the job; RFC 3339, UTC."),
    completed_at: time.nullable().describe("When the job ended; RFC 3339, UTC."),
  })
  .meta({ id: "Job", description: "A job." });

export type Job = z.infer<typeof jobSchema>;

/** The job as clients see it, with newly signed output URLs. */
export function serializeJob(row: JobRow): Job {
  return {
    id: row.id,
    status: row.status,
    operation: row.operation,
    params: shownParams(row),
    progress: Math.round(row.progress * 10) / 10,
    input: {
      filename: row.input.filename,
      content_type: row.input.contentType,
      bytes: row.input.bytes,
      url: row.input.url,
    },
    outputs: row.filesDeletedAt
      ? []
      : row.outputs.map((output, index) => serializeOutput(row, output, index)),
    result: row.result,
    warnings: [...row.warnings],
    error: row.error,
    error_code: row.errorCode,
    metadata: row.metadata,
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    completed_at: row.completedAt?.toISOString() ?? null,
  };
}

const dimensionNames = ["width", "height", "duration", "pages"] as const;

function serializeOutput(row: JobRow, output: JobOutput, index: number): SerializedOutput {
  return describeFile(output, signOutput(row.id, index, output, row.expiresAt));
}

/** A stored file as clients see it, at a signed URL. */
export function describeFile(
  output: JobOutput,
  { url, expiresAt }: { readonly url: string; readonly expiresAt: Date },
): SerializedOutput {
  const { filename, contentType, bytes } = output;
  // By name: a stored output may have other properties.
  const dimensions = Object.fromEntries(
    dimensionNames.flatMap((name) => {
      const value = output[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const expires_at = expiresAt.toISOString();
  return {
    filename,
    content_type: contentType,
    bytes,
    url,
    expires_at,
    ...dimensions,
    ...(output.exported && { exported: { ...output.exported } }),
  };
}
