import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import { channels } from "../../channels.ts";
import { notify, type Queryable } from "../../client.ts";
import { type ReceivedRequest, receivedRequests } from "../../schema/receiver/received-requests.ts";

/** The most received requests of an account that are kept. */
export const maxReceivedRequests = 100;

/** How long a received request is kept. */
export const receivedRequestDays = 7;

const { headers: _headers, body: _body, ...summaryColumns } = getTableColumns(receivedRequests);

/** A received request without its headers and its body, which lists do not show. */
export type ReceivedSummary = Omit<ReceivedRequest, "headers" | "body">;

/** Stores a received request, deletes those of the account that are too many, and notifies its pages. */
export async function insertReceivedRequest(tx: Queryable, row: ReceivedRequest): Promise<void> {
  await tx.insert(receivedRequests).values(row);
  await tx.execute(sql`
    delete from received_requests where id = any(array(
      select id from received_requests where account_id = ${row.accountId}
      order by id desc offset ${maxReceivedRequests} for update skip locked))`);
  await notify(tx, channels.receiverChanged, row.accountId);
}

/** Marks a received request whose sender did not wait for the response. */
export async function markReceivedLate(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<void> {
  const isOwn = and(eq(receivedRequests.accountId, accountId), eq(receivedRequests.id, id));
  await db.update(receivedRequests).set({ isLate: true }).where(isOwn);
  await notify(db, channels.receiverChanged, accountId);
}

/** An account's received requests, newest first. */
export function listReceivedRequests(db: Queryable, accountId: string): Promise<ReceivedSummary[]> {
  return db
    .select(summaryColumns)
    .from(receivedRequests)
    .where(eq(receivedRequests.accountId, accountId))
    .orderBy(desc(receivedRequests.id))
    .limit(maxReceivedRequests);
}

/** A received request of the account. */
export async function findReceivedRequest(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<ReceivedRequest | undefined> {
  const isOwn = and(eq(receivedRequests.id, id), eq(receivedRequests.accountId, accountId));
  return (await db.select().from(receivedRequests).where(isOwn))[0];
}

/** Deletes all received requests of an account. */
export async function deleteReceivedRequests(tx: Queryable, accountId: string): Promise<void> {
  await tx.delete(receivedRequests).where(eq(receivedRequests.accountId, accountId));
  await notify(tx, channels.receiverChanged, accountId);
}

/** Deletes the received requests of all accounts that are past their time. */
export async function deleteOldReceivedRequests(db: Queryable): Promise<void> {
  await db
    .delete(receivedRequests)
    .where(lt(receivedRequests.at, sql`now() - make_interval(days => ${receivedRequestDays})`));
}
