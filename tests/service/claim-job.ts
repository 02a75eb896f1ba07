import { sql } from "drizzle-orm";
import type { Queryable } from "#lib/db/client.ts";
import type { Lease } from "#lib/db/queries/jobs/leases.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import { type JobRow, jobs, unfinishedList } from "#lib/db/schema/jobs.ts";

/** Claims one particular job if it waits for `stage`, without its turn. Runners take the next job. */
export async function claimJob(
  db: Queryable,
  lease: Lease,
  leaseSeconds: number,
  stage: JobStage,
): Promise<JobRow | undefined> {
  const rows = await db
    .update(jobs)
    .set({
      status: "processing",
      leaseToken: lease.token,
      leaseExpiresAt: sql`now() + make_interval(secs => ${leaseSeconds})`,
      startedAt: sql`coalesce(${jobs.startedAt}, now())`,
      engineStartedAt: sql`case ${jobs.stage} when 'run' then now() else ${jobs.engineStartedAt} end`,
      attempts: sql`${jobs.attempts} + 1`,
    })
    .where(
      sql`${jobs.id} = ${lease.jobId} and ${jobs.stage} = ${stage} and ${jobs.status} in ${unfinishedList}
        and ${jobs.leaseToken} is null and ${jobs.runAfter} <= now()`,
    )
    .returning();
  return rows[0];
}
