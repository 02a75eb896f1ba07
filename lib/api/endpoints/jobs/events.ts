import { z } from "zod";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { followJob } from "#lib/jobs/follow/events.ts";
import { serializeJob } from "#lib/jobs/view/job.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import type { RequestContext } from "../../definition/endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import {
  eventStreamResponse,
  formatEvent,
  keepAliveComment,
} from "../../http/streams/event-stream.ts";
import { type JobContext, requireJob } from "./find-job.ts";

export const watchJob = defineEndpoint({
  method: "GET",
  path: "/v1/jobs/{id}/events",
  operationId: "watchJob",
  tag: "Jobs",
  summary: "Watch a job with Server-Sent Events.",
  description:
    "One event of type `job` on connect and after every change of status or progress. Its data is the job as JSON. The stream ends with the job, or when the API key loses access. An account can have 20 event streams open at a time.",
  access: "apiKey",
  scope: "jobs:read",
  forTokens: true,
  params: z.strictObject({ id: jobId }),
  responses: {
    200: { description: "The events.", content: { "text/event-stream": { type: "string" } } },
  },
  errors: ["rate_limited"],
  handler: (context) =>
    streamJobEvents(context, {
      serialize: serializeJob,
      stateOf: ({ status, progress }) => `${status} ${progress}`,
    }),
});

/** The data of the events, and the part of a job whose changes cause an event. */
interface JobView {
  readonly serialize: (row: JobRow) => unknown;
  readonly stateOf: (row: JobRow) => string;
}

/** Events of type `job` until the job ends, its caller loses access, the client disconnects or the service stops. */
export async function streamJobEvents(
  context: JobContext & RequestContext,
  view: JobView,
): Promise<Response> {
  const { id } = await requireJob(context);
  return eventStreamResponse(context, (signal) =>
    formatJobEvents(followJob(context.account.id, id, signal), view),
  );
}

async function* formatJobEvents(rows: AsyncIterable<JobRow>, { serialize, stateOf }: JobView) {
  let sent = "";
  for await (const job of rows) {
    const state = stateOf(job);
    yield state === sent ? keepAliveComment : formatEvent("job", serialize(job));
    sent = state;
  }
}
