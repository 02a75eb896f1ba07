import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { keptRequestDays, listOpenPartitions, lockRequestPartitions } from "./partitions.ts";

/** The most requests of an account that are kept; about a thousand more until the next deletion. */
export const maxKeptRequests = 50_000;

/** Deletes an account's requests except for its newest ones. */
export async function trimRequests(
  db: Queryable,
  accountId: string,
  kept: number = maxKeptRequests,
): Promise<void> {
  await db.execute(sql`
    delete from api_requests where account_id = ${accountId} and id <= (
      select id from api_requests where account_id = ${accountId}
      order by id desc offset ${kept} limit 1)`);
}

/**
 * Deletes the requests of all accounts that are past their time and have no partition of their day, with which they
 * would go. Does nothing while another process changes partitions.
 */
export async function deleteOldRequests(tx: Queryable): Promise<void> {
  if (!(await lockRequestPartitions(tx))) return;
  for (const name of await listOpenPartitions(tx)) {
    await tx.execute(sql`delete from ${sql.raw(name)}
      where created_at < now() - make_interval(days => ${keptRequestDays})`);
  }
}
