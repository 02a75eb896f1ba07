import { and, asc, eq, gte, sql, sum } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { firstKeptDay } from "#lib/job-retention.ts";
import type { Queryable } from "../../client.ts";
import { usageEvents } from "../../schema/dashboard/usage-events.ts";
import type { FinalStatus } from "../../schema/job-states.ts";
import type { JobRow } from "../../schema/jobs.ts";
import { usageDays } from "../../schema/usage-days.ts";

/** Reverts the counts of a job whose acceptance is rolled back. */
export async function uncountAcceptedJob(
  db: Queryable,
  job: Pick<JobRow, "accountId" | "operation" | "apiKeyId" | "createdAt">,
): Promise<void> {
  const day = dayOf(job.createdAt);
  const { accountId, operation } = job;
  await db
    .update(usageDays)
    .set({ jobs: sql`${usageDays.jobs} - 1` })
    .where(
      and(
        eq(usageDays.accountId, accountId),
        eq(usageDays.day, day),
        eq(usageDays.operation, operation),
      ),
    );
  const key = job.apiKeyId ?? "";
  await db
    .insert(usageEvents)
    .values({ accountId, day, operation, key, outcome: "accepted", jobs: -1 });
}

/** An account's jobs of one day, `2026-11-21`. */
export interface DailyUsage {
  readonly day: string;
  readonly jobs: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly usedBytes: number;
}

const total = (column: AnyPgColumn) => sum(column).mapWith(Number);

/** An account's days from `day` on, oldest first. Days without a job are left out. */
export function listUsageDays(
  db: Queryable,
  accountId: string,
  day: string,
): Promise<DailyUsage[]> {
  return db
    .select({
      day: usageDays.day,
      jobs: total(usageDays.jobs),
      completed: total(usageDays.completed),
      failed: total(usageDays.failed),
      cancelled: total(usageDays.cancelled),
      usedBytes: total(usageDays.usedBytes),
    })
    .from(usageDays)
    .where(and(eq(usageDays.accountId, accountId), gte(usageDays.day, day)))
    .groupBy(usageDays.day)
    .orderBy(asc(usageDays.day));
}

/**
 * The total number of an account's jobs, optionally of one operation or final status. Without those whose
 * records are deleted because of their age.
 */
export async function sumJobs(
  db: Queryable,
  accountId: string,
  filter: {
    status?: FinalStatus | undefined;
    operation?: string | undefined;
  },
): Promise<number> {
  const { status, operation } = filter;
  const ofOperation = operation === undefined ? undefined : eq(usageDays.operation, operation);
  const day = firstKeptDay(new Date());
  const ofKeptDays = day === undefined ? undefined : gte(usageDays.day, day);
  const rows = await db
    .select({ count: total(usageDays[status ?? "jobs"]) })
    .from(usageDays)
    .where(and(eq(usageDays.accountId, accountId), ofOperation, ofKeptDays));
  // The sum of no rows is null.
  return rows[0]?.count ?? 0;
}

/** The day of a time in UTC, such as `2026-11-21`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
