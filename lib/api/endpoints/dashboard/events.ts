import { db } from "#lib/db/client.ts";
import { findSession } from "#lib/db/queries/accounts/sessions.ts";
import { followAccountJobs } from "#lib/jobs/follow/account-events.ts";
import { stoppingSignal } from "#lib/stopping.ts";
import type { SessionCaller } from "../../definition/access.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobIdPattern } from "../../definition/parameters.ts";
import { eventStreamResponse, formatEvent, keepAliveComment } from "../../http/event-stream.ts";

/** How often an open stream checks its session, in milliseconds. */
const sessionCheckMs = 20_000;

/** The most jobs that a page may name. */
const maxNamedJobs = 100;

export const watchAccountJobs = defineEndpoint({
  method: "GET",
  path: "/dashboard/events",
  operationId: "watchAccountJobs",
  tag: "Jobs",
  summary: "Watch the account's jobs with Server-Sent Events.",
  description:
    "Events of type `jobs`, each a list of job summaries: first the newest jobs and those named by `?job=`, then every job that changed. The stream ends with the session.",
  internal: true,
  access: "session",
  responses: {
    200: { description: "The events.", content: { "text/event-stream": { type: "string" } } },
  },
  async handler(context) {
    const { request, url } = context;
    const named = url.searchParams.getAll("job").filter((id) => jobIdPattern.test(id));
    const signal = AbortSignal.any([request.signal, stoppingSignal()]);
    return eventStreamResponse(formatJobsEvents(context, named.slice(0, maxNamedJobs), signal));
  },
});

async function* formatJobsEvents(
  { account, sessionId }: SessionCaller,
  named: readonly string[],
  signal: AbortSignal,
) {
  let checkedAt = Date.now();
  for await (const jobs of followAccountJobs(account.id, named, signal)) {
    if (Date.now() - checkedAt >= sessionCheckMs) {
      if (!(await findSession(db(), sessionId))) return;
      checkedAt = Date.now();
    }
    yield jobs.length === 0 ? keepAliveComment : formatEvent("jobs", jobs);
  }
}
