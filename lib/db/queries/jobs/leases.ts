import { and, eq, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import type { FinalStatus } from "../../schema/job-states.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";

/** A runner's hold on a job. Writes with a lease match no row once another runner holds the job. */
export interface Lease {
  readonly jobId: string;
  readonly token: string;
}

const isHeld = (lease: Lease) => and(eq(jobs.id, lease.jobId), eq(jobs.leaseToken, lease.token));

/** Held by no runner. The caller enqueues the job. */
const released = { leaseToken: null, leaseExpiresAt: null, enqueuedAt: sql`now()` };

/** Extends the lease and writes the progress, which never falls. False if the lease was lost. */
export async function renewLease(
  db: Queryable,
  lease: Lease,
  leaseSeconds: number,
  progress: number,
): Promise<boolean> {
  const rows = await db
    .update(jobs)
    .set({
      leaseExpiresAt: sql`now() + make_interval(secs => ${leaseSeconds})`,
      progress: sql`greatest(${jobs.progress}, ${progress})`,
    })
    .where(and(isHeld(lease), eq(jobs.status, "processing")))
    .returning({ id: jobs.id });
  return rows.length > 0;
}

/** Writes what the job has reserved of the quota. False if the lease was lost. */
export async function recordReservation(
  db: Queryable,
  lease: Lease,
  reservedBytes: number,
): Promise<boolean> {
  const rows = await db
    .update(jobs)
    .set({ reservedBytes })
    .where(isHeld(lease))
    .returning({ id: jobs.id });
  return rows.length > 0;
}

/** Writes the fetched files and releases the job for its next stage, whose attempts count from 0. */
export async function releaseFetched(
  db: Queryable,
  lease: Lease,
  fetched: Pick<JobRow, "source" | "parts" | "input">,
): Promise<JobRow | undefined> {
  const rows = await db
    .update(jobs)
    .set({
      ...fetched,
      fetchedAt: sql`now()`,
      stage: "run",
      ...released,
      attempts: 0,
      runAfter: sql`now()`,
    })
    .where(and(isHeld(lease), eq(jobs.status, "processing")))
    .returning();
  return rows[0];
}

/** Releases the job for another attempt after `delaySeconds`. `countAttempt` false: the current one is not counted. */
export async function releaseJob(
  db: Queryable,
  lease: Lease,
  options: { delaySeconds: number; countAttempt: boolean },
): Promise<JobRow | undefined> {
  const rows = await db
    .update(jobs)
    .set({
      ...released,
      runAfter: sql`now() + make_interval(secs => ${options.delaySeconds})`,
      ...(options.countAttempt ? {} : { attempts: sql`${jobs.attempts} - 1` }),
    })
    .where(and(isHeld(lease), eq(jobs.status, "processing")))
    .returning();
  return rows[0];
}

/**
 * Releases the jobs whose lease expired because their runner vanished. This is counted as a runner
 * death, not as an attempt. After a restart of the database, runners have `graceSeconds` to renew
 * their leases.
 */
export async function releaseLostJobs(db: Queryable, graceSeconds: number): Promise<JobRow[]> {
  const graceEnd = sql`pg_postmaster_start_time() + make_interval(secs => ${graceSeconds})`;
  const isLost = sql`${jobs.status} = 'processing' and ${jobs.leaseToken} is not null
    and ${jobs.leaseExpiresAt} < now() and ${graceEnd} < now()`;
  return db
    .update(jobs)
    .set({
      ...released,
      runAfter: sql`now()`,
      attempts: sql`${jobs.attempts} - 1`,
      runnerDeaths: sql`${jobs.runnerDeaths} + 1`,
    })
    .where(isLost)
    .returning();
}

export type FinalState = Pick<
  JobRow,
  "outputs" | "result" | "error" | "errorCode" | "expiresAt"
> & {
  readonly status: FinalStatus;
  /** By the runner's clock. */
  readonly engineStartedAt?: Date;
  readonly engineEndedAt?: Date;
};

/**
 * Ends a job that is held under a lease. Undefined, and nothing is changed, if the job has already
 * ended or the lease was lost.
 */
export async function finishJob(
  db: Queryable,
  lease: Lease,
  state: FinalState,
): Promise<JobRow | undefined> {
  const rows = await db
    .update(jobs)
    .set({
      ...state,
      progress: state.status === "completed" ? 100 : jobs.progress,
      leaseToken: null,
      leaseExpiresAt: null,
      completedAt: sql`now()`,
    })
    .where(and(isHeld(lease), eq(jobs.status, "processing")))
    .returning();
  return rows[0];
}
