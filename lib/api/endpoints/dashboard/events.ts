import { followAccountJobs } from "#lib/jobs/follow/account-events.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobIdPattern } from "../../definition/parameters.ts";
import { sessionEventStream } from "./session-events.ts";

/** The most jobs that a page may name. */
const maxNamedJobs = 100;

export const watchAccountJobs = defineEndpoint({
  method: "GET",
  path: "/dashboard/api/events",
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
    const named = context.url.searchParams.getAll("job").filter((id) => jobIdPattern.test(id));
    const known = named.slice(0, maxNamedJobs);
    return sessionEventStream(
      context,
      "jobs",
      (signal) => followAccountJobs(context.account.id, known, signal),
      (jobs) => jobs.length === 0,
    );
  },
});
