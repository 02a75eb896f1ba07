import type { Lease } from "#lib/db/queries/jobs/leases.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";

/** A job that this process holds, as the claim returned it. */
export interface ClaimedJob {
  readonly job: JobRow;
  readonly lease: Lease;
}
