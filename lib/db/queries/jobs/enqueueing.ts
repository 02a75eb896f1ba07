import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import type { JobStage } from "../../schema/job-states.ts";
import { type JobRow, jobs, unfinishedList } from "../../schema/jobs.ts";
import { type DeliveryRow, webhookDeliveries } from "../../schema/webhook-deliveries.ts";

/** When waiting work is enqueued again, in seconds after it was due. */
export interface ReenqueueTimes {
  /** The delay if enqueueing failed. */
  readonly notEnqueuedSeconds: number;
  /**
   * The least delay if the work was enqueued and no runner has claimed it. The delay is also at
   * least half of the total wait.
   */
  readonly unclaimedSeconds: number;
}

/**
 * The condition that work has been due since `dueAt` and is not claimed. The interval grows with
 * the wait, so that a long backlog, in which nothing is lost, does not fill the queue with
 * duplicates.
 */
function overdue(dueAt: SQL, enqueuedAt: SQL, times: ReenqueueTimes): SQL {
  const seconds = (value: number) => sql`make_interval(secs => ${value})`;
  return sql`${dueAt} < now() - ${seconds(times.notEnqueuedSeconds)} and (
    ${enqueuedAt} is null or
    greatest(${enqueuedAt}, ${dueAt}) < now() - greatest(${seconds(times.unclaimedSeconds)}, (now() - ${dueAt}) / 2)
  )`;
}

/** The most rows that one call enqueues again. */
const maxRows = 1000;

const isUnclaimed = sql`${jobs.status} in ${unfinishedList} and ${jobs.leaseToken} is null`;

/**
 * Jobs that could run and that no runner holds, oldest first, marked as enqueued: the caller enqueues
 * them. Of concurrent callers, only one gets a job.
 */
export function takeUnclaimedJobs(db: Queryable, times: ReenqueueTimes): Promise<JobRow[]> {
  const isOverdue = overdue(sql`${jobs.runAfter}`, sql`${jobs.enqueuedAt}`, times);
  return takeJobs(db, isOverdue, maxRows);
}

/** Which waiting jobs are enqueued again. */
export interface WakeOptions {
  /**
   * How long ago, in seconds, a job must have been enqueued last. The interval grows with the wait.
   */
  readonly seconds: number;
  /** The largest number of jobs. */
  readonly limit: number;
  /** The account whose jobs are enqueued again; the jobs of all accounts by default. */
  readonly accountId?: string;
}

/** The same for jobs of a stage that may be without a message although slots are free. */
export function takeWaitingJobs(
  db: Queryable,
  stage: JobStage,
  { seconds, limit, accountId }: WakeOptions,
): Promise<JobRow[]> {
  const times = { notEnqueuedSeconds: 0, unclaimedSeconds: seconds };
  const isOverdue =
    seconds > 0
      ? overdue(sql`${jobs.runAfter}`, sql`${jobs.enqueuedAt}`, times)
      : sql`${jobs.runAfter} <= now()`;
  const isOwn = accountId === undefined ? sql`true` : sql`${jobs.accountId} = ${accountId}`;
  return takeJobs(db, sql`${jobs.stage} = ${stage} and ${isOverdue} and ${isOwn}`, limit);
}

async function takeJobs(db: Queryable, condition: SQL, limit: number): Promise<JobRow[]> {
  const ids = sql`(
    select ${jobs.id} from ${jobs} where ${isUnclaimed} and ${condition}
    order by ${jobs.createdAt} limit ${limit} for update skip locked
  )`;
  return db.update(jobs).set(enqueuedNow(true)).where(sql`${jobs.id} in ${ids}`).returning();
}

/** Deliveries whose attempt is overdue, marked as enqueued like the jobs. */
export function takeOverdueDeliveries(
  db: Queryable,
  times: ReenqueueTimes,
): Promise<DeliveryRow[]> {
  const { id, status, nextAttemptAt, enqueuedAt } = webhookDeliveries;
  const dueAt = sql`${nextAttemptAt}`;
  const ids = sql`(
    select ${id} from ${webhookDeliveries}
    where ${status} = 'pending' and ${overdue(dueAt, sql`${enqueuedAt}`, times)}
    order by ${nextAttemptAt} limit ${maxRows} for update skip locked
  )`;
  return db
    .update(webhookDeliveries)
    .set(enqueuedNow(true))
    .where(sql`${id} in ${ids}`)
    .returning();
}

/** Marks all deliveries whose attempt is due as not enqueued: their messages were lost with a runner. */
export async function markDueDeliveriesLost(db: Queryable): Promise<void> {
  const { status, nextAttemptAt } = webhookDeliveries;
  await db
    .update(webhookDeliveries)
    .set(enqueuedNow(false))
    .where(sql`${status} = 'pending' and ${nextAttemptAt} <= now()`);
}

/** Deletes a pending job that no runner has claimed. Undefined if one has. */
export async function deleteUnclaimedJob(db: Queryable, id: string): Promise<JobRow | undefined> {
  const unclaimed = and(eq(jobs.status, "pending"), isNull(jobs.leaseToken), eq(jobs.attempts, 0));
  const rows = await db
    .delete(jobs)
    .where(and(eq(jobs.id, id), unclaimed))
    .returning();
  return rows[0];
}

const enqueuedNow = (enqueued: boolean) => ({ enqueuedAt: enqueued ? sql`now()` : null });

/** Records whether jobs could be enqueued. */
export async function recordJobsEnqueued(
  db: Queryable,
  ids: readonly string[],
  enqueued: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(jobs)
    .set(enqueuedNow(enqueued))
    .where(inArray(jobs.id, [...ids]));
}

/** Records whether the next attempts of deliveries could be enqueued. */
export async function recordDeliveriesEnqueued(
  db: Queryable,
  ids: readonly string[],
  enqueued: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(webhookDeliveries)
    .set(enqueuedNow(enqueued))
    .where(inArray(webhookDeliveries.id, [...ids]));
}
