import type { JobStatus } from "#lib/db/schema/job-states.ts";

/** Makes screen readers announce a job's status changes, but not its progress. */
export function StatusAnnouncer({ status }: { status: JobStatus }) {
  return (
    <span role="status" className="sr-only">
      Job status: {status}
    </span>
  );
}
