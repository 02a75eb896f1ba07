import { eq, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { rateWindows } from "../../schema/rate-windows.ts";

export interface RateWindow {
  readonly count: number;
  /** Seconds until the window ends; 0 if there is none. */
  readonly remainingSeconds: number;
}

const age = sql`extract(epoch from now() - ${rateWindows.startedAt})`;
const view = {
  count: rateWindows.count,
  remainingSeconds: sql<number>`least(60, greatest(0, 60 - ${age}))::float8`,
};

/**
 * Counts a request in the account's current window of one minute, or starts a new window. One
 * conditional statement, so that concurrent requests cannot exceed the limit. Undefined if the limit is
 * reached.
 */
export async function countRequest(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<RateWindow | undefined> {
  const over = sql`${age} >= 60`;
  const rows = await db
    .insert(rateWindows)
    .values({ accountId, startedAt: sql`now()`, count: 1 })
    .onConflictDoUpdate({
      target: rateWindows.accountId,
      set: {
        count: sql`case when ${over} then 1 else ${rateWindows.count} + 1 end`,
        startedAt: sql`case when ${over} then now() else ${rateWindows.startedAt} end`,
      },
      setWhere: sql`${over} or ${rateWindows.count} < ${limit}`,
    })
    .returning(view);
  return rows[0];
}

/** The account's current window. */
export async function readRateWindow(db: Queryable, accountId: string): Promise<RateWindow> {
  const rows = await db.select(view).from(rateWindows).where(eq(rateWindows.accountId, accountId));
  const window = rows[0];
  return window && window.remainingSeconds > 0 ? window : { count: 0, remainingSeconds: 0 };
}
