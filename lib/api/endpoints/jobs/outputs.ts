import { z } from "zod";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId, outputIndex } from "../../definition/parameters.ts";
import { sendOrRedirect } from "../../http/send-file.ts";
import { requireJob } from "./find-job.ts";
import {
  downloadRequestHeaders,
  downloadResponses,
  outputErrors,
  requireOutput,
} from "./outputs-of-job.ts";

export const readOutputAt = defineEndpoint({
  method: "GET",
  path: "/v1/jobs/{id}/outputs/{index}",
  operationId: "readOutputAt",
  documentsHead: true,
  tag: "Jobs",
  summary: "Download an output by its number.",
  access: "apiKey",
  scope: "jobs:read",
  forTokens: true,
  params: z.strictObject({ id: jobId, index: outputIndex }),
  headers: downloadRequestHeaders,
  responses: downloadResponses([]),
  errors: outputErrors,
  handler: async (context) =>
    sendOrRedirect(context.request, requireOutput(await requireJob(context), context.params.index)),
});
