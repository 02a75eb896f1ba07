import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { jobSchema } from "#lib/jobs/view/job.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { parseIdempotency } from "../../job-creation/idempotency.ts";
import { parsePreferredWait } from "../../job-creation/prefer.ts";
import { jobResponses } from "../../job-creation/request-body.ts";
import { respondWithJob } from "../../job-creation/respond-with-job.ts";
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
  headers: ["IdempotencyKey", "Prefer"],
  responses: jobResponses({ body: jobSchema }),
  errors: ["conflict", "gone", "idempotency_conflict", "usage_limit_reached"],
  async handler(context) {
    const failed = await requireJob(context);
    if (failed.status !== "failed" && failed.status !== "cancelled") {
      const message = `The job is ${failed.status}. Only a failed or cancelled job can be retried.`;
      throw new RequestError("conflict", message);
    }
    const id = createId("job");
    const waitSeconds = parsePreferredWait(context.request);
    const idempotency = parseIdempotency(context.request, `retry ${failed.id}`);
    return respondWithJob(context, { id, waitSeconds, idempotency }, () =>
      retryAccountJob({ ...context, id, idempotency }, failed),
    );
  },
});
