import { jobSchema } from "#lib/jobs/view/job.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { noQuery } from "../../definition/parameters.ts";
import { jobErrors, jobResponses } from "../../job-creation/request-body.ts";
import { acceptChain } from "../jobs/create-chain.ts";

export const runChainInDashboard = defineEndpoint({
  method: "POST",
  path: "/dashboard/api/run/chain",
  operationId: "runChainInDashboard",
  tag: "Jobs",
  summary: "Run several operations on a file from the playground, as one job.",
  internal: true,
  access: "session",
  createsWork: true,
  query: noQuery,
  responses: jobResponses({ body: jobSchema }),
  errors: jobErrors,
  handler: acceptChain,
});
