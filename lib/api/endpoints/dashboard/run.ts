import { jobSchema } from "#lib/jobs/view/job.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { noQuery } from "../../definition/parameters.ts";
import { jobErrors, jobResponses } from "../../job-creation/request-body.ts";
import { acceptOperation, operationParams } from "../operations/run.ts";

export const runInDashboard = defineEndpoint({
  method: "POST",
  path: "/dashboard/api/run/{group}/{operation}",
  operationId: "runInDashboard",
  tag: "Jobs",
  summary: "Run an operation on a file from the playground.",
  internal: true,
  access: "session",
  createsWork: true,
  params: operationParams,
  query: noQuery,
  responses: jobResponses({ body: jobSchema }),
  errors: jobErrors,
  handler: (context) => acceptOperation(context),
});
