import { z } from "zod";
import { jobSchema, serializeJob } from "#lib/jobs/view/job.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { cancelAccountJob } from "./job-actions.ts";

export const cancelJob = defineEndpoint({
  method: "POST",
  path: "/v1/jobs/{id}/cancel",
  operationId: "cancelJob",
  tag: "Jobs",
  summary: "Cancel a job that is pending or processing.",
  description: "A running engine stops within two seconds.",
  access: "apiKey",
  scope: "jobs:write",
  forTokens: true,
  params: z.strictObject({ id: jobId }),
  responses: { 200: { description: "The cancelled job.", body: jobSchema } },
  errors: ["conflict"],
  handler: async (context) => serializeJob(await cancelAccountJob(context)),
});
