import { eq, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { rateWindows } from "../../schema/rate-windows.ts";

export interface RateWindow {
  readonly count: number;
  /** Seconds until the window ends; 0 if there is none. */
  readonly remainingSeconds: number;
}

/** Seconds until the window of a row of `rate_windows` ends. */
export const remainingSeconds = sql<number>`least(60, greatest(0, 60 - extract(epoch from now() - ${rateWindows.startedAt})))::float8`;

/** The account's current window. */
export async function readRateWindow(db: Queryable, accountId: string): Promise<RateWindow> {
  const rows = await db
    .select({ count: rateWindows.count, remainingSeconds })
    .from(rateWindows)
    .where(eq(rateWindows.accountId, accountId));
  const window = rows[0];
  return window && window.remainingSeconds > 0 ? window : { count: 0, remainingSeconds: 0 };
}
