import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs, unfinishedList } from "../../schema/jobs.ts";
import { type DeliveryRow, webhookDeliveries } from "../../schema/webhook-deliveries.ts";

/** When waiting work is enqueued again, in seconds after it was due. */
export interface ReenqueueTimes {
  /** If enqueueing failed. */
  readonly notEnqueuedSeconds: number;
  /** If it was enqueued and no runner has claimed it. At least this long, and half of the total wait. */
  readonly unclaimedSeconds: number;
}

/**
 * Due since `dueAt` and not claimed. The interval grows with the wait, so that a long backlog, in
 * which nothing is lost, does not fill the queue with duplicates.
 */
function overdue(dueAt: SQL, enqueuedAt: SQL, times: ReenqueueTimes): SQL {
  const seconds = (value: number) => sql`make_interval(secs => ${value})`;
  return sql`${dueAt} < now() - ${seconds(times.notEnqueuedSeconds)} and (
    ${enqueuedAt} is null or
    greatest(${enqueuedAt}, ${dueAt}) < now() - greatest(${seconds(times.unclaimedSeconds)}, (now() - ${dueAt}) / 2)
  )`;
}

/** Jobs that could run and that no runner holds, oldest first. */
export function listUnclaimedJobs(db: Queryable, times: ReenqueueTimes): Promise<JobRow[]> {
  return db
    .select()
    .from(jobs)
    .where(
      sql`${jobs.status} in ${unfinishedList} and ${jobs.leaseToken} is null
        and ${overdue(sql`${jobs.runAfter}`, sql`${jobs.enqueuedAt}`, times)}`,
    )
    .orderBy(jobs.createdAt)
    .limit(1000);
}

/** Deliveries whose attempt is overdue. */
export function listOverdueDeliveries(
  db: Queryable,
  times: ReenqueueTimes,
): Promise<DeliveryRow[]> {
  const dueAt = sql`${webhookDeliveries.nextAttemptAt}`;
  return db
    .select()
    .from(webhookDeliveries)
    .where(
      sql`${webhookDeliveries.status} = 'pending'
        and ${overdue(dueAt, sql`${webhookDeliveries.enqueuedAt}`, times)}`,
    )
    .limit(1000);
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

/** Records whether a job could be enqueued. */
export async function recordJobEnqueued(
  db: Queryable,
  id: string,
  enqueued: boolean,
): Promise<void> {
  await db.update(jobs).set(enqueuedNow(enqueued)).where(eq(jobs.id, id));
}

/** Records whether a delivery's next attempt could be enqueued. */
export async function recordDeliveryEnqueued(
  db: Queryable,
  id: string,
  enqueued: boolean,
): Promise<void> {
  await db.update(webhookDeliveries).set(enqueuedNow(enqueued)).where(eq(webhookDeliveries.id, id));
}
