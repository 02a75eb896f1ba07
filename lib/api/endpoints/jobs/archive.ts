import { z } from "zod";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { requireJob } from "./find-job.ts";
import { outputErrors } from "./outputs-of-job.ts";
import { zipOutputs } from "./zip-outputs.ts";

export const readArchive = defineEndpoint({
  method: "GET",
  path: "/v1/jobs/{id}/archive",
  operationId: "readArchive",
  tag: "Jobs",
  summary: "Download all outputs as one ZIP.",
  access: "apiKey",
  scope: "jobs:read",
  forTokens: true,
  params: z.strictObject({ id: jobId }),
  responses: {
    200: {
      description: "The archive.",
      headers: ["Content-Disposition"],
      content: {
        "application/zip": { type: "string", contentMediaType: "application/octet-stream" },
      },
    },
  },
  errors: outputErrors,
  handler: async (context) => zipOutputs(await requireJob(context)),
});
