import { z } from "zod";
import { maxWaitSeconds } from "./request-headers.ts";

/**
 * Parameters of paths and queries that several endpoints share. The message of a path parameter is
 * the error of the 404 response: a malformed id is an id that does not exist.
 */

/** A whole number in a path or query. Its JSON Schema describes the number, not the text. */
export function integerText(min: number, max: number) {
  const message = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ type: "integer", minimum: min, maximum: max, pattern: undefined });
}

/** A time in a query. PostgreSQL and JavaScript agree on the years 1 to 9999. */
export const timeText = z.iso
  .datetime({ offset: true, error: "must be a time in RFC 3339, such as 2026-11-20T12:00:00Z" })
  .transform((text) => new Date(text))
  .refine(
    (time) => time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9999,
    "must be a time in the years 1 to 9999, UTC",
  );

export const jobIdPattern = /^job_[0-9A-Za-z]{24}$/;

export const jobId = z
  .string()
  .regex(jobIdPattern, "There is no such job.")
  .describe("The job's id.");

/** Which output of a job, counted from 0. */
export const outputIndex = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,5})$/, "The job has no such output; outputs are counted from 0.")
  .transform(Number)
  .meta({ type: "integer", minimum: 0, maximum: 999_999, pattern: undefined })
  .describe("Which output, counted from 0.");

export const waitSeconds = integerText(1, maxWaitSeconds)
  .optional()
  .describe("Respond when the job has ended, or after this many seconds.");

/** The page of a list. `items` is a plural, capitalized. */
export function pageQuery(items: string) {
  return {
    limit: integerText(1, 100).default(20).describe(`${items} per page.`),
    offset: integerText(0, 1_000_000_000).default(0).describe(`${items} to skip.`),
  };
}

const cursor = z.string().regex(jobIdPattern, "must be the id of one of your jobs").optional();

/** A page of a list of jobs that starts at a job. */
export const cursorQuery = {
  starting_after: cursor.describe(
    "The id of one of your jobs: the page has the jobs after it in the list, which are older. Not together with `ending_before` or `offset`.",
  ),
  ending_before: cursor.describe(
    "The id of one of your jobs: the page has the jobs before it in the list, which are newer. Not together with `starting_after` or `offset`.",
  ),
};

const maxMetadataKeys = 16;

const metadataText = z
  .string()
  .max(500, "must have keys and values of at most 500 characters")
  .refine((text) => !text.includes("\0"), "must be text without NUL");

/** The filter `metadata[key]=value` of a query, for any number of keys. */
export const metadataFilter = z
  .record(metadataText, metadataText, "must be given as `metadata[key]=value`")
  .refine((values) => Object.keys(values).length <= maxMetadataKeys, "must have at most 16 keys")
  .optional()
  .meta({ maxProperties: maxMetadataKeys })
  .describe("Only jobs with these values in their metadata: `metadata[key]=value` for each key.");

/** The fields `limit` and `offset` of a response. */
export const pageFields = {
  limit: z.number().int().min(0).describe("As requested."),
  offset: z.number().int().min(0).describe("As requested."),
};

/** The query of an endpoint that takes its parameters in the body. */
export const noQuery = z.strictObject(
  {},
  "The query must be empty. Send the parameters in the body of the request.",
);

/** The query of an endpoint that takes no parameters at all. */
export const noParameters = z.strictObject({});

/** Parameters that the OpenAPI document defines once, under these names. */
export const sharedParameters = [
  { component: "JobId", in: "path", name: "id", schema: jobId },
  { component: "OutputIndex", in: "path", name: "index", schema: outputIndex },
  { component: "Wait", in: "query", name: "wait", schema: waitSeconds },
] as const;
