import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { listJobs as queryJobs } from "#lib/db/queries/jobs/jobs.ts";
import { jobStatuses } from "#lib/db/schema/job-states.ts";
import { jobSchema, serializeJob } from "#lib/jobs/view/job.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { pageFields, pageQuery, timeText } from "../../definition/parameters.ts";

export const listJobs = defineEndpoint({
  method: "GET",
  path: "/v1/jobs",
  operationId: "listJobs",
  tag: "Jobs",
  summary: "List jobs, newest first.",
  access: "apiKey",
  scope: "jobs:read",
  query: z.strictObject({
    ...pageQuery("Jobs"),
    status: z.enum(jobStatuses).optional().describe("Only jobs with this status."),
    operation: z
      .string()
      .regex(/^[a-z0-9/-]{1,100}$/, "must be the id of an operation, such as image/sharpen")
      .optional()
      .describe("Only jobs of this operation."),
    created_after: timeText.optional().describe("Only jobs created at or after this time."),
    created_before: timeText.optional().describe("Only jobs created before this time."),
  }),
  responses: {
    200: {
      description: "A page of jobs.",
      body: z.strictObject({ jobs: z.array(jobSchema), ...pageFields }).meta({ id: "JobList" }),
      headers: ["X-Total-Count", "Link"],
    },
  },
  async handler({ account, query, url }) {
    const { limit, offset, status, operation } = query;
    const createdAfter = query.created_after;
    const createdBefore = query.created_before;
    const filter = { status, operation, createdAfter, createdBefore };
    const { rows, total } = await queryJobs(db(), account.id, filter, { limit, offset });
    const headers = new Headers({ "X-Total-Count": String(total) });
    const links = pageLinks(url, { limit, offset, total });
    if (links) headers.set("Link", links);
    return Response.json({ jobs: rows.map(serializeJob), limit, offset }, { headers });
  },
});

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
