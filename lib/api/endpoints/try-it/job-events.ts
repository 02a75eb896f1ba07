import { z } from "zod";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { streamJobDetails, watchJobInDashboard } from "../dashboard/job-events.ts";

export const watchJobAsVisitor = defineEndpoint({
  method: "GET",
  path: "/try/jobs/{id}/events",
  operationId: "watchJobAsVisitor",
  tag: "Jobs",
  summary: "Watch the details of a visitor's job with Server-Sent Events.",
  description: watchJobInDashboard.description ?? "",
  internal: true,
  access: "visitor",
  params: z.strictObject({ id: jobId }),
  responses: watchJobInDashboard.responses,
  handler: streamJobDetails,
});
