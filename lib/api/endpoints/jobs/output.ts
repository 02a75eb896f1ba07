import { z } from "zod";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { sendOrRedirect } from "../../http/send-file.ts";
import { requireJob } from "./find-job.ts";
import {
  downloadRequestHeaders,
  downloadResponses,
  outputErrors,
  requireOutput,
} from "./outputs-of-job.ts";

export const readOutput = defineEndpoint({
  method: "GET",
  path: "/v1/jobs/{id}/output",
  operationId: "readOutput",
  documentsHead: true,
  tag: "Jobs",
  summary: "Download the first output.",
  access: "apiKey",
  scope: "jobs:read",
  forTokens: true,
  params: z.strictObject({ id: jobId }),
  headers: downloadRequestHeaders,
  responses: downloadResponses([]),
  errors: outputErrors,
  handler: async (context) =>
    sendOrRedirect(context.request, requireOutput(await requireJob(context), 0)),
});
