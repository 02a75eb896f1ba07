import type { JobStatus } from "#lib/db/schema/job-statuses.ts";

/** Tells screen readers when a job's state changes, and not each percent on the way. */
export function SpokenStatus({ status }: { status: JobStatus }) {
  return (
    <span role="status" className="sr-only">
      The job is {status}.
    </span>
  );
}
