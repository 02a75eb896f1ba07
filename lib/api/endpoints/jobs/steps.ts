import { z } from "zod";
import { jobStepSchema, serializeSteps } from "#lib/jobs/view/steps.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { requireJob } from "./find-job.ts";

export const listSteps = defineEndpoint({
  method: "GET",
  path: "/v1/jobs/{id}/steps",
  operationId: "listSteps",
  tag: "Jobs",
  summary: "Read the operations of a job, with their times and what lies between them.",
  description:
    "A chain that was created with keep_steps has the file that each operation handed to the next one. Consecutive operations on an image hand over its pixels without encoding them, so the file is a copy that is encoded in the format of the image.",
  access: "apiKey",
  scope: "jobs:read",
  params: z.strictObject({ id: jobId }),
  responses: {
    200: {
      description: "The operations, in order.",
      body: z.strictObject({ steps: z.array(jobStepSchema) }),
    },
  },
  async handler(context) {
    return { steps: serializeSteps(await requireJob(context)) };
  },
});
