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
): Promise<DeliveryRow> {
  const [row] = await db.insert(webhookDeliveries).values(values).returning();
  if (!row) throw new Error("the inserted delivery did not come back");
  return row;
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

/** An account's deliveries, of one job or all, newest first. */
export function listDeliveries(
  db: Queryable,
  accountId: string,
  jobId: string | undefined,
  page: { limit: number; offset: number },
): Promise<DeliveryRow[]> {
  const own = eq(webhookDeliveries.accountId, accountId);
  return db
    .select()
    .from(webhookDeliveries)
    .where(jobId === undefined ? own : and(own, eq(webhookDeliveries.jobId, jobId)))
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(page.limit)
    .offset(page.offset);
}

/** Begins a new round of attempts of an account's delivery. Undefined where there is no such delivery. */
export async function reopenDelivery(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const rows = await db
    .update(webhookDeliveries)
    .set({ status: "pending", attemptsInRound: 0, nextAttemptAt: null, completedAt: null })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.accountId, accountId)))
    .returning();
  return rows[0];
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
