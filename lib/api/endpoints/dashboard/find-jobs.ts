import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { searchNewestJobs } from "#lib/db/queries/jobs/summaries.ts";
import { jobStatuses } from "#lib/db/schema/job-states.ts";
import { type JobSummary, serializeJobSummary } from "#lib/jobs/view/summary.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

/** The jobs that a search shows. */
const maxFound = 5;

export interface FoundJobs {
  readonly jobs: readonly JobSummary[];
}

const query = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(255)
    .refine((text) => !text.includes("\0"), "must have no NUL character")
    .optional()
    .describe("The start of a job's id, or a part of its input's file name in any case."),
  status: z.enum(jobStatuses).optional().describe("Only jobs with this status."),
});

export const findJobsInDashboard = defineEndpoint({
  method: "GET",
  path: "/dashboard/api/jobs/search",
  operationId: "findJobsInDashboard",
  tag: "Jobs",
  summary: "Find jobs among the newest of the account by id or file name.",
  internal: true,
  access: "session",
  query,
  responses: {
    200: {
      description: "The newest jobs that match.",
      content: { "application/json": { type: "object" } },
    },
  },
  errors: ["invalid_parameter"],
  async handler({ account, query }) {
    const rows = await searchNewestJobs(db(), account.id, query, maxFound);
    const found: FoundJobs = { jobs: rows.map(serializeJobSummary) };
    return Response.json(found);
  },
});
