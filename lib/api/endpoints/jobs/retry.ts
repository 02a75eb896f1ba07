import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import { jobSchema, serializeJob } from "#lib/jobs/view/job.ts";
import { rateHeaders } from "#lib/quotas/rate-limit.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { requireJob } from "./find-job.ts";
import { retryAccountJob } from "./job-actions.ts";

export const retryJob = defineEndpoint({
  method: "POST",
  path: "/v1/jobs/{id}/retry",
  operationId: "retryJob",
  tag: "Jobs",
  summary: "Create a new job with the input and parameters of one that failed or was cancelled.",
  access: "apiKey",
  scope: "jobs:write",
  createsWork: true,
  params: z.strictObject({ id: jobId }),
  responses: { 202: { description: "The new job.", body: jobSchema, headers: ["Location"] } },
  errors: ["conflict", "gone", "usage_limit_reached"],
  async handler(context) {
    const failed = await requireJob(context);
    if (failed.status !== "failed" && failed.status !== "cancelled") {
      const message = `The job is ${failed.status}. Only a failed or cancelled job can be retried.`;
      throw new RequestError("conflict", message);
    }
    const { job, rate } = await retryAccountJob(context, failed);
    const headers = { Location: `/v1/jobs/${job.id}`, ...rateHeaders(rate) };
    return Response.json(serializeJob(job), { status: 202, headers });
  },
});
