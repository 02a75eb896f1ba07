import { db } from "#lib/db/client.ts";
import { type DailyUsage, dayOf, listUsageDays } from "#lib/db/queries/usage/usage-days.ts";

const dayMs = 86_400_000;

/** An account's last `days` days, UTC, ending today. A day without jobs has zeros. */
export async function readDailyUsage(
  accountId: string,
  days: number,
  now: Date,
): Promise<DailyUsage[]> {
  const wanted = Array.from({ length: days }, (_, index) =>
    dayOf(new Date(now.getTime() - (days - 1 - index) * dayMs)),
  );
  const rows = await listUsageDays(db(), accountId, wanted[0] ?? dayOf(now));
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return wanted.map((day) => byDay.get(day) ?? { ...emptyDay, day });
}

const emptyDay = { jobs: 0, completed: 0, failed: 0, cancelled: 0, usedBytes: 0 };

/** The share of completed jobs among the completed and failed ones, 0 to 1. Undefined if there are none. */
export function successRate(
  days: readonly Pick<DailyUsage, "completed" | "failed">[],
): number | undefined {
  const completed = days.reduce((sum, day) => sum + day.completed, 0);
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  return completed + failed === 0 ? undefined : completed / (completed + failed);
}
