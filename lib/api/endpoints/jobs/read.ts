import { z } from "zod";
import { waitForJob } from "#lib/jobs/follow/events.ts";
import { jobSchema, serializeJob } from "#lib/jobs/view/job.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId, waitSeconds } from "../../definition/parameters.ts";
import { noSuchJob, requireJob } from "./find-job.ts";

export const readJob = defineEndpoint({
  method: "GET",
  path: "/v1/jobs/{id}",
  operationId: "readJob",
  tag: "Jobs",
  summary: "Read a job, at once or when it has ended.",
  access: "apiKey",
  scope: "jobs:read",
  params: z.strictObject({ id: jobId }),
  query: z.object({ wait: waitSeconds }),
  responses: { 200: { description: "The job.", body: jobSchema } },
  async handler(context) {
    const { account, params, query, request } = context;
    const job = await requireJob(context);
    if (query.wait === undefined) return serializeJob(job);
    const latest = await waitForJob(account.id, params.id, query.wait, request.signal);
    if (!latest) throw noSuchJob();
    return serializeJob(latest);
  },
});
