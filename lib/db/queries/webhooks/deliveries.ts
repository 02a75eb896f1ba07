import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import {
  type DeliveryAttempt,
  type DeliveryRow,
  webhookDeliveries,
} from "../../schema/webhook-deliveries.ts";

export async function insertDelivery(
  db: Queryable,
  values: typeof webhookDeliveries.$inferInsert,
): Promise<DeliveryRow> {
  const [row] = await db.insert(webhookDeliveries).values(values).returning();
  if (!row) throw new Error("the inserted delivery did not come back");
  return row;
}

/**
 * Takes the attempt that is due of a delivery, for `seconds`: after that it is due again, should
 * whoever took it have vanished. Undefined where none is due.
 */
export async function takeAttempt(
  db: Queryable,
  id: string,
  seconds: number,
): Promise<DeliveryRow | undefined> {
  const rows = await db
    .update(webhookDeliveries)
    .set({ nextAttemptAt: sql`now() + make_interval(secs => ${seconds})` })
    .where(and(eq(webhookDeliveries.id, id), isDue))
    .returning();
  return rows[0];
}

/** A ticket may come a little before its time. */
const isDue = sql`${webhookDeliveries.status} = 'pending' and ${webhookDeliveries.nextAttemptAt} <= now() + interval '0.5 seconds'`;

/**
 * Records the attempt that `taken` was taken for and what follows from it: delivered, given up, or
 * another one later. False where the delivery was taken or sent again meanwhile: then only the log
 * of attempts grows.
 */
export async function recordAttempt(
  db: Queryable,
  taken: DeliveryRow,
  attempt: DeliveryAttempt,
  next: { status: DeliveryRow["status"]; delaySeconds: number | null },
): Promise<boolean> {
  const logged = {
    attempts: sql`${webhookDeliveries.attempts} || ${JSON.stringify([attempt])}::jsonb`,
  };
  const nextAttemptAt =
    next.delaySeconds === null ? null : sql`now() + make_interval(secs => ${next.delaySeconds})`;
  const same = eq(webhookDeliveries.id, taken.id);
  const rows = await db
    .update(webhookDeliveries)
    .set({
      ...logged,
      status: next.status,
      attemptsInRound: taken.attemptsInRound + 1,
      lastStatus: attempt.status,
      nextAttemptAt,
      handedOverAt: sql`now()`,
      ...(next.status === "pending" ? {} : { completedAt: sql`now()` }),
    })
    .where(and(same, eq(webhookDeliveries.nextAttemptAt, taken.nextAttemptAt ?? new Date(0))))
    .returning({ id: webhookDeliveries.id });
  if (rows.length > 0) return true;
  await db.update(webhookDeliveries).set(logged).where(same);
  return false;
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

export interface DeliveryFilter {
  readonly jobId?: string | undefined;
  readonly status?: DeliveryRow["status"] | undefined;
  /** Only those that are older than this delivery of the account's. */
  readonly before?: string | undefined;
}

/** The next deliveries of an account that fit `filter`, newest first, whatever the page. */
export function listDeliveriesBefore(
  db: Queryable,
  accountId: string,
  { jobId, status, before }: DeliveryFilter,
  limit: number,
): Promise<DeliveryRow[]> {
  const { createdAt, id } = webhookDeliveries;
  const conditions = [eq(webhookDeliveries.accountId, accountId)];
  if (jobId !== undefined) conditions.push(eq(webhookDeliveries.jobId, jobId));
  if (status !== undefined) conditions.push(eq(webhookDeliveries.status, status));
  if (before !== undefined) {
    const last = sql`(select created_at, id from webhook_deliveries where id = ${before} and account_id = ${accountId})`;
    conditions.push(sql`(${createdAt}, ${id}) < ${last}`);
  }
  return db
    .select()
    .from(webhookDeliveries)
    .where(and(...conditions))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);
}

/** An account's own delivery; another's does not exist. */
export async function findOwnDelivery(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const own = and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.accountId, accountId));
  return (await db.select().from(webhookDeliveries).where(own))[0];
}

/** Begins a new round of attempts of an account's delivery. Undefined where there is no such delivery. */
export async function reopenDelivery(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const rows = await db
    .update(webhookDeliveries)
    .set({
      status: "pending",
      attemptsInRound: 0,
      nextAttemptAt: sql`now()`,
      handedOverAt: sql`now()`,
      completedAt: null,
    })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.accountId, accountId)))
    .returning();
  return rows[0];
}

/** What a runner needs to know of a delivery whose attempt is due. */
export type DueDelivery = Pick<DeliveryRow, "id" | "accountId" | "url">;

/** Those of the deliveries `ids` whose attempt is due. */
export function findDueDeliveries(db: Queryable, ids: readonly string[]): Promise<DueDelivery[]> {
  const { id, accountId, url } = webhookDeliveries;
  return db
    .select({ id, accountId, url })
    .from(webhookDeliveries)
    .where(and(inArray(id, [...ids]), isDue));
}

/** At most this many of one account are listed at once, so that they hide nobody else's. */
const dueOfAccount = 200;

/** Deliveries whose attempt has been due for `seconds`: nobody seems to have been told. */
export async function listLateDeliveries(db: Queryable, seconds: number): Promise<DueDelivery[]> {
  const rows = await db.execute<{ id: string; account_id: string; url: string }>(sql`
    select id, account_id, url from (
      select id, account_id, url, next_attempt_at,
        row_number() over (partition by account_id order by next_attempt_at) as turn
      from webhook_deliveries
      where status = 'pending' and next_attempt_at < now() - make_interval(secs => ${seconds})
    ) as overdue
    where turn <= ${dueOfAccount} order by next_attempt_at limit 5000`);
  return rows.map(({ id, account_id: accountId, url }) => ({ id, accountId, url }));
}
