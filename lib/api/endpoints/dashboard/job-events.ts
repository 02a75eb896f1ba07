import { z } from "zod";
import { serializeJobDetails } from "#lib/jobs/view/details.ts";
import { phasesOf } from "#lib/jobs/view/phases.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import type { RequestContext } from "../../definition/endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { streamJobEvents } from "../jobs/events.ts";
import type { JobContext } from "../jobs/find-job.ts";

export const watchJobInDashboard = defineEndpoint({
  method: "GET",
  path: "/dashboard/api/jobs/{id}/events",
  operationId: "watchJobInDashboard",
  tag: "Jobs",
  summary: "Watch the details of a job with Server-Sent Events.",
  description: "One event on connect and after every change of status, progress or phase.",
  internal: true,
  access: "session",
  params: z.strictObject({ id: jobId }),
  responses: {
    200: { description: "The events.", content: { "text/event-stream": { type: "string" } } },
  },
  handler: streamJobDetails,
});

/** The events of the job in the path, with its phases and its links. */
export function streamJobDetails(context: JobContext & RequestContext): Promise<Response> {
  return streamJobEvents(context, {
    serialize: serializeJobDetails,
    stateOf: (row) => `${row.status} ${row.progress} ${phasesOf(row).map(({ name }) => name)}`,
  });
}
