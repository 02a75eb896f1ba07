import { and, eq, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";

/** A runner's hold on a job. Every write through it matches no row once another holds the job. */
export interface Lease {
  readonly jobId: string;
  readonly token: string;
}

const held = (lease: Lease) => and(eq(jobs.id, lease.jobId), eq(jobs.leaseToken, lease.token));

/** Nobody's; the caller tells the queue. */
const released = { leaseToken: null, leaseExpiresAt: null, handedOverAt: sql`now()` };

/** Holds the job for longer and writes its progress, which never falls. False: it is no longer ours. */
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
    .where(and(held(lease), eq(jobs.status, "processing")))
    .returning({ id: jobs.id });
  return rows.length > 0;
}

/** Writes what the job holds of the quota. */
export async function recordReservation(
  db: Queryable,
  lease: Lease,
  reservedBytes: number,
): Promise<boolean> {
  const rows = await db
    .update(jobs)
    .set({ reservedBytes })
    .where(held(lease))
    .returning({ id: jobs.id });
  return rows.length > 0;
}

/** Writes what was fetched and gives the job to whoever has an engine; the fetch was no try. */
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
      needsFetch: false,
      ...released,
      attempts: 0,
      runAfter: sql`now()`,
    })
    .where(and(held(lease), eq(jobs.status, "processing")))
    .returning();
  return rows[0];
}

/** Gives the job up for a further try after `delaySeconds`; `countAttempt` false takes this try back. */
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
    .where(and(held(lease), eq(jobs.status, "processing")))
    .returning();
  return rows[0];
}

/**
 * Frees the jobs whose runner has vanished, and counts that death apart from the job's own tries.
 * A database that was away itself gives runners `graceSeconds` from its start to renew their leases.
 */
export async function freeLostJobs(db: Queryable, graceSeconds: number): Promise<JobRow[]> {
  const grace = sql`pg_postmaster_start_time() + make_interval(secs => ${graceSeconds})`;
  const lost = sql`${jobs.status} = 'processing' and ${jobs.leaseToken} is not null
    and ${jobs.leaseExpiresAt} < now() and ${grace} < now()`;
  return db
    .update(jobs)
    .set({
      ...released,
      runAfter: sql`now()`,
      attempts: sql`${jobs.attempts} - 1`,
      runnerDeaths: sql`${jobs.runnerDeaths} + 1`,
    })
    .where(lost)
    .returning();
}

export type FinalState = Pick<
  JobRow,
  "outputs" | "result" | "error" | "errorCode" | "expiresAt"
> & {
  readonly status: "completed" | "failed" | "cancelled";
  /** When the engine was done, by the runner's clock. */
  readonly storingAt?: Date;
};

/**
 * The one way a job under a lease ends. A conditional update: a job that is final already, or that
 * another holds, stays as it is, and undefined comes back.
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
    .where(and(held(lease), eq(jobs.status, "processing")))
    .returning();
  return rows[0];
}
