import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
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
  if (!row) throw new Error("the insert returned no delivery");
  return row;
}

/**
 * Claims the due attempt of a delivery for `seconds`. After that it is due again, in case its runner
 * has vanished. Undefined if no attempt is due.
 */
export async function claimAttempt(
  db: Queryable,
  id: string,
  seconds: number,
): Promise<DeliveryRow | undefined> {
  const rows = await db
    .update(webhookDeliveries)
    // Not enqueued: if the runner vanishes, no message is on its way when the attempt is due again.
    .set({ nextAttemptAt: sql`now() + make_interval(secs => ${seconds})`, enqueuedAt: null })
    .where(and(eq(webhookDeliveries.id, id), isDue))
    .returning();
  return rows[0];
}

/** A timer or a queue message may be slightly early. */
const dueToleranceSeconds = 0.1;

const isDue = sql`${webhookDeliveries.status} = 'pending'
  and ${webhookDeliveries.nextAttemptAt} <= now() + make_interval(secs => ${dueToleranceSeconds})`;

/**
 * Records an attempt and what follows from it: delivered, given up, or another attempt later. `claimed`
 * is what `claimAttempt` returned. False if the delivery was claimed again or resent meanwhile: then
 * only the attempt is added.
 */
export async function recordAttempt(
  db: Queryable,
  claimed: DeliveryRow,
  attempt: DeliveryAttempt,
  next: { status: DeliveryRow["status"]; delaySeconds: number | null },
): Promise<boolean> {
  const withAttempt = {
    attempts: sql`${webhookDeliveries.attempts} || ${JSON.stringify([attempt])}::jsonb`,
  };
  const nextAttemptAt =
    next.delaySeconds === null ? null : sql`now() + make_interval(secs => ${next.delaySeconds})`;
  const isDelivery = eq(webhookDeliveries.id, claimed.id);
  const rows = await db
    .update(webhookDeliveries)
    .set({
      ...withAttempt,
      status: next.status,
      attemptsSinceSend: claimed.attemptsSinceSend + 1,
      lastStatus: attempt.status,
      nextAttemptAt,
      enqueuedAt: sql`now()`,
      ...(next.status === "pending" ? {} : { completedAt: sql`now()` }),
    })
    .where(
      and(isDelivery, eq(webhookDeliveries.nextAttemptAt, claimed.nextAttemptAt ?? new Date(0))),
    )
    .returning({ id: webhookDeliveries.id });
  if (rows.length > 0) return true;
  await db.update(webhookDeliveries).set(withAttempt).where(isDelivery);
  return false;
}

/** An account's deliveries that match `filter`, newest first. */
export function listDeliveries(
  db: Queryable,
  accountId: string,
  filter: Pick<DeliveryFilter, "jobId" | "endpointId">,
  page: { limit: number; offset: number },
): Promise<DeliveryRow[]> {
  return db
    .select()
    .from(webhookDeliveries)
    .where(and(...matching(accountId, filter)))
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(page.limit)
    .offset(page.offset);
}

export interface DeliveryFilter {
  readonly jobId?: string | undefined;
  /** Null: those that go to a `webhook_url`, not to an endpoint. */
  readonly endpointId?: string | null | undefined;
  readonly status?: DeliveryRow["status"] | undefined;
  /** A delivery of the account: only older ones are listed. */
  readonly before?: string | undefined;
}

/** An account's deliveries that match `filter`, newest first, by cursor. */
export function listDeliveriesBefore(
  db: Queryable,
  accountId: string,
  { before, ...filter }: DeliveryFilter,
  limit: number,
): Promise<DeliveryRow[]> {
  const { createdAt, id } = webhookDeliveries;
  const conditions = matching(accountId, filter);
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

function matching(
  accountId: string,
  { jobId, endpointId, status }: Omit<DeliveryFilter, "before">,
): SQL[] {
  const conditions = [eq(webhookDeliveries.accountId, accountId)];
  if (jobId !== undefined) conditions.push(eq(webhookDeliveries.jobId, jobId));
  if (endpointId === null) conditions.push(isNull(webhookDeliveries.endpointId));
  else if (endpointId !== undefined) conditions.push(eq(webhookDeliveries.endpointId, endpointId));
  if (status !== undefined) conditions.push(eq(webhookDeliveries.status, status));
  return conditions;
}

/** A delivery of the account. */
export async function findOwnDelivery(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const own = and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.accountId, accountId));
  return (await db.select().from(webhookDeliveries).where(own))[0];
}

/** The deliveries that an account sent by hand and that wait for an attempt: to `host` (with a port), and in total. */
export async function countManualDeliveries(
  db: Queryable,
  accountId: string,
  host: string,
): Promise<{ readonly host: number; readonly account: number }> {
  const { status, manual } = webhookDeliveries;
  const isOwn = eq(webhookDeliveries.accountId, accountId);
  const [row] = await db
    .select({
      host: sql<number>`count(*) filter (where ${hostOfUrl} = ${host})::int`,
      account: sql<number>`count(*)::int`,
    })
    .from(webhookDeliveries)
    .where(and(isOwn, manual, eq(status, sql`'pending'`)));
  return row ?? { host: 0, account: 0 };
}

/** The host of a delivery's URL, with its port. URLs are stored as WHATWG serializes them. */
const hostOfUrl = sql`split_part(url, '/', 3)`;

/** Restarts the attempts of an account's delivery by hand. Undefined if there is no such delivery. */
export async function resetDelivery(
  db: Queryable,
  { accountId, id }: Pick<DeliveryRow, "accountId" | "id">,
  { url, traceContext }: Pick<DeliveryRow, "url" | "traceContext">,
): Promise<DeliveryRow | undefined> {
  const rows = await db
    .update(webhookDeliveries)
    .set({
      url,
      traceContext,
      status: "pending",
      manual: true,
      attemptsSinceSend: 0,
      nextAttemptAt: sql`now()`,
      enqueuedAt: sql`now()`,
      completedAt: null,
    })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.accountId, accountId)))
    .returning();
  return rows[0];
}

/** What a runner needs of a delivery whose attempt is due. */
export type DueDelivery = Pick<DeliveryRow, "id" | "accountId" | "url">;

/** The delivery if its attempt is due. */
export async function findDueDelivery(db: Queryable, id: string): Promise<DueDelivery | undefined> {
  const { accountId, url } = webhookDeliveries;
  const isOne = and(eq(webhookDeliveries.id, id), isDue);
  const rows = await db
    .select({ id: webhookDeliveries.id, accountId, url })
    .from(webhookDeliveries)
    .where(isOne);
  return rows[0];
}

/** When the next attempt of any delivery is due. Undefined if none is scheduled. */
export async function readNextDelivery(
  db: Queryable,
): Promise<{ readonly seconds: number; readonly isDue: boolean } | undefined> {
  const [row] = await db.execute<{ seconds: number | null }>(sql`
    select extract(epoch from min(next_attempt_at) - now())::float8 as seconds
    from webhook_deliveries where status = 'pending'`);
  if (row?.seconds === undefined || row.seconds === null) return undefined;
  return { seconds: row.seconds, isDue: row.seconds <= dueToleranceSeconds };
}

/** The most deliveries per account, so that one account cannot hide the deliveries of others. */
const maxDuePerAccount = 1000;

/**
 * Deliveries whose attempt is due. Accounts take turns, then the hosts of an account, then the endpoints
 * of a host, so that the deliveries to one that does not respond hide no others.
 */
export async function listDueDeliveries(db: Queryable): Promise<DueDelivery[]> {
  const rows = await db.execute<{ id: string; account_id: string; url: string }>(sql`
    with by_endpoint as (
      select id, account_id, url, next_attempt_at, row_number() over (
        partition by account_id, url order by next_attempt_at
      ) as turn
      from webhook_deliveries where ${isDue}
    ), by_host as (
      select *, row_number() over (
        partition by account_id, ${hostOfUrl} order by turn, next_attempt_at
      ) as host_turn
      from by_endpoint
    ), by_account as (
      select *, row_number() over (
        partition by account_id order by host_turn, next_attempt_at
      ) as account_turn
      from by_host
    )
    select id, account_id, url from by_account
    where account_turn <= ${maxDuePerAccount} order by account_turn, next_attempt_at limit 5000`);
  return rows.map(({ id, account_id: accountId, url }) => ({ id, accountId, url }));
}
