import { type FinalStatus, isFinalStatus, type JobStatus } from "#lib/db/schema/job-states.ts";

/** Whether the job has ended. A final job never changes its status again. */
export function isFinal<Job extends { readonly status: JobStatus }>(
  job: Job,
): job is Job & { readonly status: FinalStatus } {
  return isFinalStatus(job.status);
}
