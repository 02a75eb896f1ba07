import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { findJob, listJobs } from "#lib/db/queries/jobs/jobs.ts";
import { type JobRow, jobStatuses } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { waitForJob } from "#lib/jobs/follow/events.ts";
import { serializeJob } from "#lib/jobs/view/job.ts";
import { parseWait } from "./http/prefer.ts";
import type { KeyedContext } from "./http/route.ts";
import { describeIssue, inputSchema, reportInput, showName } from "./http/schema-messages.ts";

/** A whole number in a query; its JSON Schema is the number's, not the text's. */
export const integerText = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be an integer from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be an integer from ${min} to ${max}`)
    .meta({ type: "integer", minimum: min, maximum: max, pattern: undefined });

const momentText = z.iso
  .datetime({ offset: true, error: "must be a time in RFC 3339, such as 2026-11-20T12:00:00Z" })
  .transform((text) => new Date(text))
  .refine(
    (time) => time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9999,
    "must be a time in the years 1 to 9999, UTC",
  );

/** Query of `GET /v1/jobs`. */
export const listQuery = z.strictObject({
  limit: integerText(1, 100).default(20).describe("Jobs on a page."),
  offset: integerText(0, 1_000_000_000).default(0).describe("Jobs to pass over."),
  status: z.enum(jobStatuses).optional().describe("Only jobs in this state."),
  operation: z
    .string()
    .regex(/^[a-z0-9/-]{1,100}$/, "must be an operation's id, such as image/sharpen")
    .optional()
    .describe("Only jobs of this operation."),
  created_after: momentText.optional().describe("Only jobs made at or after this time."),
  created_before: momentText.optional().describe("Only jobs made before this time."),
});

/** `GET /v1/jobs`: a page of the account's jobs, newest first. */
export async function answerJobs({ account, url }: KeyedContext): Promise<Response> {
  const query = parseQuery(listQuery, url);
  const { limit, offset, status, operation } = query;
  const filter = {
    status,
    operation,
    createdAfter: query.created_after,
    createdBefore: query.created_before,
  };
  const { rows, total } = await listJobs(db(), account.id, filter, { limit, offset });
  const headers = new Headers({ "X-Total-Count": String(total) });
  const links = pageLinks(url, { limit, offset, total });
  if (links) headers.set("Link", links);
  return Response.json({ jobs: rows.map(serializeJob), limit, offset }, { headers });
}

/** `GET /v1/jobs/{id}`: the job, at once or (`?wait=N`) when it has ended. */
export async function answerJob(context: KeyedContext): Promise<Response> {
  const wait = context.url.searchParams.get("wait");
  if (wait === null) return Response.json(serializeJob(await requireJob(context)));
  const seconds = parseWait(wait, "wait");
  await requireJob(context);
  const { account, params, request } = context;
  const job = await waitForJob(account.id, params.id ?? "", seconds, request.signal);
  if (!job) throw noSuchJob();
  return Response.json(serializeJob(job));
}

/** The account's job that the path names. Throws 404, the same for another's as for none. */
export async function requireJob({
  account,
  params,
}: Pick<KeyedContext, "account" | "params">): Promise<JobRow> {
  const id = params.id ?? "";
  const job = /^job_[0-9A-Za-z]{24}$/.test(id) ? await findJob(db(), account.id, id) : undefined;
  if (!job) throw noSuchJob();
  return job;
}

function noSuchJob(): RequestError {
  return new RequestError("not_found", "There is no such job.");
}

/** The query of `url` by `schema`; unknown and repeated names are errors. */
export function parseQuery<Schema extends z.ZodType>(schema: Schema, url: URL): z.output<Schema> {
  const given = [...url.searchParams];
  const query = Object.fromEntries(given);
  const twice = given.find(([name], index) => given.findIndex(([one]) => one === name) < index);
  if (twice) {
    const sentence = `${showName(twice[0])} may be in the query once.`;
    throw new RequestError("invalid_parameter", sentence);
  }
  const parsed = schema.safeParse(query, reportInput);
  if (parsed.success) return parsed.data;
  throw new RequestError("invalid_parameter", describeIssue(parsed.error, inputSchema(schema)));
}

function pageLinks(url: URL, page: { limit: number; offset: number; total: number }): string {
  const link = (offset: number, rel: string) => {
    const query = new URLSearchParams(url.searchParams);
    query.set("limit", String(page.limit));
    query.set("offset", String(offset));
    return `<${url.pathname}?${query}>; rel="${rel}"`;
  };
  const links: string[] = [];
  const next = page.offset + page.limit;
  if (next < page.total) links.push(link(next, "next"));
  if (page.offset > 0) links.push(link(Math.max(0, page.offset - page.limit), "prev"));
  return links.join(", ");
}
