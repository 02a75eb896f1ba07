import { finalStatuses } from "#lib/db/schema/job-statuses.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";

/** Whether the job has ended; a final job never changes its status again. */
export function isFinal(job: Pick<JobRow, "status">): boolean {
  return (finalStatuses as readonly string[]).includes(job.status);
}
