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

/** The account's current window. */
export async function readRateWindow(db: Queryable, accountId: string): Promise<RateWindow> {
  const [row] = await db.execute(readWindow({ accountId }));
  const window = { count: Number(row?.count), remainingSeconds: Number(row?.remaining_seconds) };
  return window.remainingSeconds > 0 ? window : { count: 0, remainingSeconds: 0 };
}
