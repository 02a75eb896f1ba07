import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { rateWindows } from "../../schema/rate-windows.ts";
import { defineStatement } from "../../statement.ts";

export interface RateWindow {
  readonly count: number;
  /** Seconds until the window ends; 0 if there is none. */
  readonly remainingSeconds: number;
}

/** Seconds until the window of a row of `rate_windows` ends. */
export const remainingSeconds = sql<number>`least(60, greatest(0, 60 - extract(epoch from now() - ${rateWindows.startedAt})))::float8`;

const readWindow = defineStatement<"accountId">(
  (value) => sql`
    select count, ${remainingSeconds} as remaining_seconds
    from rate_windows where account_id = ${value("accountId")}::text`,
);

/** Counts a request that created no job, up to `limit`. Returns the window after it. */
export async function countInRateWindow(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<RateWindow> {
  const isOver = sql`rate_windows.started_at <= now() - interval '60 seconds'`;
  const [row] = await db.execute(sql`
    insert into rate_windows (account_id, started_at, count) values (${accountId}, now(), 1)
    on conflict (account_id) do update
    set count = case when ${isOver} then 1 else least(rate_windows.count + 1, ${limit}::int) end,
      started_at = case when ${isOver} then now() else rate_windows.started_at end
    returning count, ${remainingSeconds} as remaining_seconds`);
  return { count: Number(row?.count), remainingSeconds: Number(row?.remaining_seconds) };
}

/** The account's current window. */
export async function readRateWindow(db: Queryable, accountId: string): Promise<RateWindow> {
  const [row] = await db.execute(readWindow({ accountId }));
  const window = { count: Number(row?.count), remainingSeconds: Number(row?.remaining_seconds) };
  return window.remainingSeconds > 0 ? window : { count: 0, remainingSeconds: 0 };
}
