import { and, asc, count, desc, eq, gt, inArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { type EndpointRow, webhookEndpoints } from "../../schema/credentials/webhook-endpoints.ts";
import { isFinalStatus } from "../../schema/job-states.ts";
import { jobs } from "../../schema/jobs.ts";
import { type DeliveryRow, webhookDeliveries } from "../../schema/webhook-deliveries.ts";

/** Inserts an endpoint, in a transaction. Undefined if the account has `max` already. */
export async function insertEndpoint(
  tx: Queryable,
  values: typeof webhookEndpoints.$inferInsert,
  max: number,
): Promise<EndpointRow | undefined> {
  // One request of the account at a time counts.
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, values.accountId))
    .for("no key update");
  const [counted] = await tx
    .select({ endpoints: count() })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.accountId, values.accountId));
  if ((counted?.endpoints ?? 0) >= max) return undefined;
  return (await tx.insert(webhookEndpoints).values(values).returning())[0];
}

/** An account's endpoints, newest first. */
export function listEndpoints(db: Queryable, accountId: string): Promise<EndpointRow[]> {
  return db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.accountId, accountId))
    .orderBy(desc(webhookEndpoints.createdAt), desc(webhookEndpoints.id));
}

/** An endpoint of the account. */
export async function findEndpoint(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<EndpointRow | undefined> {
  return (await db.select().from(webhookEndpoints).where(isOwn(accountId, id)))[0];
}

/** The same, locked until the transaction ends. Lock an endpoint before its deliveries. */
export async function lockEndpoint(
  tx: Queryable,
  { accountId, id }: Pick<EndpointRow, "accountId" | "id">,
): Promise<EndpointRow | undefined> {
  const rows = await tx
    .select()
    .from(webhookEndpoints)
    .where(isOwn(accountId, id))
    .for("no key update");
  return rows[0];
}

/** Changes an endpoint. Undefined if it was deleted. */
export async function updateEndpoint(
  db: Queryable,
  { accountId, id }: Pick<EndpointRow, "accountId" | "id">,
  values: Partial<Omit<EndpointRow, "id" | "accountId" | "createdAt">>,
): Promise<EndpointRow | undefined> {
  const rows = await db
    .update(webhookEndpoints)
    .set(values)
    .where(isOwn(accountId, id))
    .returning();
  return rows[0];
}

/** Deletes an endpoint of the account. False if there is none with this id. */
export async function deleteEndpoint(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<boolean> {
  const rows = await db
    .delete(webhookEndpoints)
    .where(isOwn(accountId, id))
    .returning({ id: webhookEndpoints.id });
  return rows.length > 0;
}

/** Gives up the deliveries of an endpoint that wait for an attempt. */
export async function giveUpDeliveriesOf(db: Queryable, endpointId: string): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ status: "failed", nextAttemptAt: null, completedAt: sql`now()` })
    .where(isPendingOf(endpointId));
}

/** Sends what waits for an attempt to the endpoint's new URL. */
export async function redirectDeliveriesOf(
  db: Queryable,
  endpointId: string,
  url: string,
): Promise<void> {
  await db.update(webhookDeliveries).set({ url }).where(isPendingOf(endpointId));
}

/** Gives up a delivery whose attempt was claimed and is not made. */
export async function giveUpClaimed(db: Queryable, claimed: DeliveryRow): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ status: "failed", nextAttemptAt: null, completedAt: sql`now()` })
    .where(isClaimed(claimed));
}

/**
 * Deletes a claimed delivery of progress if its job has ended: what would be sent is about a job that runs. False, and
 * nothing is deleted, if it still runs.
 */
export async function deleteIfJobEnded(db: Queryable, claimed: DeliveryRow): Promise<boolean> {
  if (claimed.jobId === null) return false;
  const [job] = await db
    .select({ status: jobs.status })
    .from(jobs)
    .where(eq(jobs.id, claimed.jobId));
  if (!job || !isFinalStatus(job.status)) return false;
  await db.delete(webhookDeliveries).where(isClaimed(claimed));
  return true;
}

/** An endpoint whose owner is to be informed by email that it was disabled. */
export interface DueEndpointMail
  extends Pick<
    EndpointRow,
    "id" | "accountId" | "url" | "description" | "disabledReason" | "failingSince"
  > {
  readonly email: string;
}

/** The most attempts to send an email. The last one is some hours after the first. */
const maxMailAttempts = 10;

/**
 * Takes an endpoint whose email is due. No other process gets it for some minutes, each time more, which are the delay
 * of the next attempt if it is not marked as sent. An email that could not be sent for a day is not sent any more.
 */
export async function takeDueEndpointMail(db: Queryable): Promise<DueEndpointMail | undefined> {
  const due = db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(
      and(
        // A closed account has no address.
        sql`exists (select from accounts where accounts.id = ${webhookEndpoints.accountId} and deleted_at is null)`,
        eq(webhookEndpoints.mail, sql`'pending'`),
        sql`${webhookEndpoints.mailRetryAt} <= now()`,
        sql`${webhookEndpoints.mailAttempts} < ${maxMailAttempts}`,
        sql`${webhookEndpoints.disabledAt} > now() - interval '1 day'`,
      ),
    )
    .orderBy(asc(webhookEndpoints.mailRetryAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [taken] = await db
    .update(webhookEndpoints)
    .set({
      mailAttempts: sql`${webhookEndpoints.mailAttempts} + 1`,
      mailRetryAt: sql`now() + make_interval(mins => 5 * (${webhookEndpoints.mailAttempts} + 1))`,
    })
    .where(inArray(webhookEndpoints.id, due))
    .returning();
  if (!taken) return undefined;
  const [account] = await db
    .select({ email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, taken.accountId));
  return account && { ...taken, ...account };
}

/** Lists encrypted secrets by id, from the one after `after`. */
export function listSealedEndpoints(
  db: Queryable,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Pick<EndpointRow, "id" | "secrets">[]> {
  return db
    .select({ id: webhookEndpoints.id, secrets: webhookEndpoints.secrets })
    .from(webhookEndpoints)
    .where(gt(webhookEndpoints.id, after))
    .orderBy(asc(webhookEndpoints.id))
    .limit(limit);
}

/** Replaces the encrypted secrets of an endpoint, unless they have changed. */
export async function replaceSealedEndpoint(
  db: Queryable,
  { id, secrets }: Pick<EndpointRow, "id" | "secrets">,
  replacement: string,
): Promise<void> {
  await db
    .update(webhookEndpoints)
    .set({ secrets: replacement })
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.secrets, secrets)));
}

const isOwn = (accountId: string, id: string) =>
  and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.accountId, accountId));

const isPendingOf = (endpointId: string) =>
  and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.status, "pending"));

const isClaimed = ({ id, nextAttemptAt }: DeliveryRow) =>
  and(
    eq(webhookDeliveries.id, id),
    eq(webhookDeliveries.nextAttemptAt, nextAttemptAt ?? new Date(0)),
  );
