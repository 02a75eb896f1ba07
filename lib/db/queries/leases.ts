import { and, eq, inArray, sql } from "drizzle-orm";
import { plans } from "#lib/quotas/plans.ts";
import type { Queryable } from "../client.ts";
import { type JobRow, jobs } from "../schema/jobs.ts";

/** A runner's hold on a job. Every write through it matches no row once another holds the job. */
export interface Lease {
  readonly jobId: string;
  readonly token: string;
}

const held = (lease: Lease) => and(eq(jobs.id, lease.jobId), eq(jobs.leaseToken, lease.token));

const claimed = (token: string, leaseSeconds: number) => ({
  status: "processing" as const,
  leaseToken: token,
  leaseExpiresAt: sql`now() + make_interval(secs => ${leaseSeconds})`,
  startedAt: sql`coalesce(${jobs.startedAt}, now())`,
  // Counted before the work starts, so that an input that kills its runner is not tried for ever.
  attempts: sql`${jobs.attempts} + 1`,
});

const free = sql`${jobs.status} in ('pending', 'processing') and ${jobs.leaseToken} is null and ${jobs.runAfter} <= now()`;

/** Jobs at once by plan, as a SQL value; null is unlimited. */
const jobsAtOnce = sql.join(
  Object.values(plans).map((plan) => sql`when ${plan.name} then ${plan.jobsAtOnce}::int`),
  sql` `,
);

/** Serialises claims: two at once would both see the last free place of an account. */
const claimLock = 0x6d6d636c;

/**
 * Takes the job whose turn it is, in a transaction of the caller's: highest priority first (ten minutes of waiting make it the
 * highest), then the account with the fewest running jobs, then age. Accounts at their plan's
 * number of jobs at once are passed over. Undefined where no job may start now.
 */
export async function claimNextJob(
  db: Queryable,
  stage: "fetch" | "run",
  token: string,
  leaseSeconds: number,
): Promise<JobRow | undefined> {
  await db.execute(sql`select pg_advisory_xact_lock(${claimLock})`);
  const next = sql`(
    with running as (
      select account_id, count(*) as jobs from jobs
      where status = 'processing' and lease_token is not null group by account_id
    )
    select waiting.id from jobs as waiting
    join accounts on accounts.id = waiting.account_id
    left join running on running.account_id = waiting.account_id
    where waiting.status in ('pending', 'processing') and waiting.lease_token is null and waiting.run_after <= now()
      and waiting.needs_fetch = ${stage === "fetch"}
      and coalesce(running.jobs, 0) < coalesce(case accounts.plan ${jobsAtOnce} end, 2147483647)
    order by
      case when waiting.created_at < now() - interval '10 minutes' then 100 else waiting.priority end desc,
      coalesce(running.jobs, 0),
      waiting.created_at,
      waiting.id
    limit 1
    for update of waiting skip locked
  )`;
  const rows = await db
    .update(jobs)
    .set(claimed(token, leaseSeconds))
    .where(and(eq(jobs.id, next), free))
    .returning();
  return rows[0];
}

/** Takes one particular job, where the queue has decided whose turn it is. */
export async function claimJob(
  db: Queryable,
  lease: Lease,
  leaseSeconds: number,
): Promise<JobRow | undefined> {
  const rows = await db
    .update(jobs)
    .set(claimed(lease.token, leaseSeconds))
    .where(and(eq(jobs.id, lease.jobId), free))
    .returning();
  return rows[0];
}

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
      needsFetch: false,
      leaseToken: null,
      leaseExpiresAt: null,
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
      leaseToken: null,
      leaseExpiresAt: null,
      runAfter: sql`now() + make_interval(secs => ${options.delaySeconds})`,
      ...(options.countAttempt ? {} : { attempts: sql`${jobs.attempts} - 1` }),
    })
    .where(and(held(lease), eq(jobs.status, "processing")))
    .returning();
  return rows[0];
}

/** Frees the jobs whose runner has vanished, and counts that death apart from the job's own tries. */
export async function freeLostJobs(db: Queryable, ids?: readonly string[]): Promise<JobRow[]> {
  const lost = sql`${jobs.status} = 'processing' and ${jobs.leaseToken} is not null and ${jobs.leaseExpiresAt} < now()`;
  return db
    .update(jobs)
    .set({
      leaseToken: null,
      leaseExpiresAt: null,
      runAfter: sql`now()`,
      attempts: sql`${jobs.attempts} - 1`,
      runnerDeaths: sql`${jobs.runnerDeaths} + 1`,
    })
    .where(ids ? and(lost, inArray(jobs.id, [...ids])) : lost)
    .returning();
}

export type FinalState = Pick<
  JobRow,
  "outputs" | "result" | "error" | "errorCode" | "expiresAt"
> & {
  readonly status: "completed" | "failed" | "cancelled";
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
