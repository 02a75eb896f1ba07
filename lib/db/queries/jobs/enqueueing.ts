import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";
import { type DeliveryRow, webhookDeliveries } from "../../schema/webhook-deliveries.ts";

/** When the queue is told again of what waits; in seconds. */
export interface HandOverTimes {
  /** Where it could not be told at first. */
  readonly untoldSeconds: number;
  /** Where it was told, and yet nobody has come. At least so long, and half of the whole wait. */
  readonly againSeconds: number;
}

/**
 * What could run since `dueAt` and nobody took. The growing distance keeps a long backlog, which is
 * no loss, from filling the queue with copies.
 */
function overdue(dueAt: SQL, toldAt: SQL, times: HandOverTimes): SQL {
  const seconds = (value: number) => sql`make_interval(secs => ${value})`;
  return sql`${dueAt} < now() - ${seconds(times.untoldSeconds)} and (
    ${toldAt} is null or
    greatest(${toldAt}, ${dueAt}) < now() - greatest(${seconds(times.againSeconds)}, (now() - ${dueAt}) / 2)
  )`;
}

/** Jobs that nobody holds though they could run, oldest first. */
export function listUnclaimedJobs(db: Queryable, times: HandOverTimes): Promise<JobRow[]> {
  return db
    .select()
    .from(jobs)
    .where(
      sql`${jobs.status} in ('pending', 'processing') and ${jobs.leaseToken} is null
        and ${overdue(sql`${jobs.runAfter}`, sql`${jobs.handedOverAt}`, times)}`,
    )
    .orderBy(jobs.createdAt)
    .limit(1000);
}

/** Deliveries whose attempt is overdue. */
export function listOverdueDeliveries(db: Queryable, times: HandOverTimes): Promise<DeliveryRow[]> {
  const dueAt = sql`coalesce(${webhookDeliveries.nextAttemptAt}, ${webhookDeliveries.createdAt})`;
  return db
    .select()
    .from(webhookDeliveries)
    .where(
      sql`${webhookDeliveries.status} = 'pending'
        and ${overdue(dueAt, sql`${webhookDeliveries.handedOverAt}`, times)}`,
    )
    .limit(1000);
}

/** Deletes a job that waits and that nobody has begun with; undefined where somebody has. */
export async function deleteUntakenJob(db: Queryable, id: string): Promise<JobRow | undefined> {
  const isUntaken = and(eq(jobs.status, "pending"), isNull(jobs.leaseToken), eq(jobs.attempts, 0));
  const rows = await db
    .delete(jobs)
    .where(and(eq(jobs.id, id), isUntaken))
    .returning();
  return rows[0];
}

const handedOver = (told: boolean) => ({ handedOverAt: told ? sql`now()` : null });

/** Remembers whether the queue could be told of a job. */
export async function recordJobHandOver(db: Queryable, id: string, told: boolean): Promise<void> {
  await db.update(jobs).set(handedOver(told)).where(eq(jobs.id, id));
}

/** Remembers whether the queue could be told of a delivery's next attempt. */
export async function recordDeliveryHandOver(
  db: Queryable,
  id: string,
  told: boolean,
): Promise<void> {
  await db.update(webhookDeliveries).set(handedOver(told)).where(eq(webhookDeliveries.id, id));
}
