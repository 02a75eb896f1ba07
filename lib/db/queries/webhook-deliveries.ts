import { and, desc, eq, sql } from "drizzle-orm";
import type { Queryable } from "../client.ts";
import {
  type DeliveryAttempt,
  type DeliveryRow,
  webhookDeliveries,
} from "../schema/webhook-deliveries.ts";

export async function insertDelivery(
  db: Queryable,
  values: typeof webhookDeliveries.$inferInsert,
): Promise<void> {
  await db.insert(webhookDeliveries).values(values);
}

export async function findDelivery(db: Queryable, id: string): Promise<DeliveryRow | undefined> {
  return (await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)))[0];
}

/** Records an attempt and what follows from it: delivered, given up, or another one later. */
export async function recordAttempt(
  db: Queryable,
  delivery: DeliveryRow,
  attempt: DeliveryAttempt,
  next: { status: DeliveryRow["status"]; delaySeconds: number | null },
): Promise<void> {
  const nextAttemptAt =
    next.delaySeconds === null ? null : sql`now() + make_interval(secs => ${next.delaySeconds})`;
  await db
    .update(webhookDeliveries)
    .set({
      status: next.status,
      attempts: sql`${webhookDeliveries.attempts} || ${JSON.stringify([attempt])}::jsonb`,
      attemptsInRound: delivery.attemptsInRound + 1,
      lastStatus: attempt.status,
      nextAttemptAt,
      ...(next.status === "pending" ? {} : { completedAt: sql`now()` }),
    })
    .where(eq(webhookDeliveries.id, delivery.id));
}

/** An account's deliveries of one job, newest first. */
export function listDeliveries(
  db: Queryable,
  accountId: string,
  jobId: string,
): Promise<DeliveryRow[]> {
  return db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.accountId, accountId), eq(webhookDeliveries.jobId, jobId)))
    .orderBy(desc(webhookDeliveries.createdAt));
}

/** Deliveries whose attempt is overdue by `seconds`: nobody seems to have been told. */
export function listOverdueDeliveries(db: Queryable, seconds: number): Promise<DeliveryRow[]> {
  return db
    .select()
    .from(webhookDeliveries)
    .where(
      sql`${webhookDeliveries.status} = 'pending'
        and coalesce(${webhookDeliveries.nextAttemptAt}, ${webhookDeliveries.createdAt}) < now() - make_interval(secs => ${seconds})`,
    )
    .limit(1000);
}
