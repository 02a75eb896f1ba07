import { lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { apiRequests } from "../../schema/dashboard/api-requests.ts";

/** How long a request is kept. */
export const keptRequestDays = 7;

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

/** Deletes the requests of all accounts that are past their time. */
export async function deleteOldRequests(db: Queryable): Promise<void> {
  await db
    .delete(apiRequests)
    .where(lt(apiRequests.createdAt, sql`now() - make_interval(days => ${keptRequestDays})`));
}
