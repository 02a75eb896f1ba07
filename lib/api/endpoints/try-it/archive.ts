import { z } from "zod";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { readArchive } from "../jobs/archive.ts";
import { requireJob } from "../jobs/find-job.ts";
import { outputErrors } from "../jobs/outputs-of-job.ts";
import { zipOutputs } from "../jobs/zip-outputs.ts";

export const readArchiveAsVisitor = defineEndpoint({
  method: "GET",
  path: "/try/jobs/{id}/archive",
  operationId: "readArchiveAsVisitor",
  tag: "Jobs",
  summary: readArchive.summary,
  internal: true,
  access: "visitor",
  params: z.strictObject({ id: jobId }),
  responses: readArchive.responses,
  errors: outputErrors,
  handler: async (context) => zipOutputs(await requireJob(context)),
});
