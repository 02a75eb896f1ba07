import { and, eq, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";
import { defineStatement } from "../../statement.ts";
import { fanOut, wakeIfFanned } from "../webhooks/fan-out.ts";

/** A runner's hold on a job. Writes with a lease match no row once another runner holds the job. */
export interface Lease {
  readonly jobId: string;
  readonly token: string;
}

const isHeld = (lease: Lease) => and(eq(jobs.id, lease.jobId), eq(jobs.leaseToken, lease.token));

/** The columns of a job that no runner holds. The caller enqueues the job. */
const released = { leaseToken: null, leaseExpiresAt: null, enqueuedAt: sql`now()` };

/** The time between two `job.progress` events of a job, in seconds. */
const progressSeconds = 2;

/** A job whose last event of progress is old enough. Its progress is new: the same number is reported once. */
const mayReport = sql`not exists (
  select from webhook_deliveries as earlier where earlier.job_id = renewed.id and earlier.event = 'job.progress'
    and earlier.created_at > now() - interval '${sql.raw(String(progressSeconds))} seconds')`;

const renew = defineStatement<"id" | "token" | "leaseSeconds" | "progress" | "reports">(
  (value) => sql`
    with renewed as (
      update jobs set lease_expires_at = now() + make_interval(secs => ${value("leaseSeconds")}::float8),
        progress = greatest(progress, ${value("progress")}::real)
      where id = ${value("id")}::text and lease_token = ${value("token")}::text and status = 'processing'
      returning id, account_id, trace_context, progress
    ), ${fanOut({
      source: "renewed",
      event: sql`'job.progress'`,
      occasion: sql`floor(renewed.progress)`,
      condition: sql`${value("reports")}::boolean and ${mayReport}`,
    })}
    select renewed.id, ${wakeIfFanned} from renewed`,
);

/**
 * Extends the lease and writes the progress, which never falls. With `reports`, the progress is also an event for the
 * account's endpoints, unless there was one less than 2 seconds ago. False if the lease was lost.
 */
export async function renewLease(
  db: Queryable,
  { jobId: id, token }: Lease,
  leaseSeconds: number,
  progress: number,
  reports = false,
): Promise<boolean> {
  const rows = await db.execute(renew({ id, token, leaseSeconds, progress, reports }));
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

/** Releases a job that runs under the lease. Undefined, and nothing is changed, if the lease was lost. */
async function release(
  db: Queryable,
  lease: Lease,
  changes: PgUpdateSetSource<typeof jobs>,
): Promise<JobRow | undefined> {
  const rows = await db
    .update(jobs)
    .set({ ...released, ...changes })
    .where(and(isHeld(lease), eq(jobs.status, "processing")))
    .returning();
  return rows[0];
}

/** What a job's new stage begins with. */
const newStage = { attempts: 0, runAfter: sql`now()` };

/** Writes the fetched files and releases the job for its next stage, whose attempts count from 0. */
export function releaseFetched(
  db: Queryable,
  lease: Lease,
  fetched: Pick<JobRow, "source" | "parts" | "input">,
): Promise<JobRow | undefined> {
  return release(db, lease, { ...newStage, ...fetched, stage: "run", fetchedAt: sql`now()` });
}

/** Writes what the operation has made, and releases the job for the export of its outputs. */
export function releaseUnexported(
  db: Queryable,
  lease: Lease,
  made: Pick<JobRow, "unexported" | "engineEndedAt"> & { readonly engineStartedAt?: Date },
): Promise<JobRow | undefined> {
  return release(db, lease, { ...newStage, ...made, stage: "fetch" });
}

/** Releases the job for its fetch stage again, because its input cannot be read in part. */
export function releaseToFetch(
  db: Queryable,
  lease: Lease,
  source: JobRow["source"],
): Promise<JobRow | undefined> {
  const unfetched = { fetchedAt: null, engineStartedAt: null };
  return release(db, lease, { ...newStage, ...unfetched, source, stage: "fetch" });
}

/** Releases the job for another attempt after `delaySeconds`. `countAttempt` false: the current one is not counted. */
export function releaseJob(
  db: Queryable,
  lease: Lease,
  options: { delaySeconds: number; countAttempt: boolean },
): Promise<JobRow | undefined> {
  return release(db, lease, {
    runAfter: sql`now() + make_interval(secs => ${options.delaySeconds})`,
    ...(options.countAttempt ? {} : { attempts: sql`${jobs.attempts} - 1` }),
  });
}

/** The trace with the attempt that is lost now; see `JobTrace`. Null stays null. */
const withLostAttempt = sql`(${jobs.traceContext}::jsonb || jsonb_build_object('lost',
  jsonb_build_object('token', ${jobs.leaseToken}, 'dueAt', ${jobs.runAfter})))::json`;

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
      traceContext: withLostAttempt,
    })
    .where(isLost)
    .returning();
}
