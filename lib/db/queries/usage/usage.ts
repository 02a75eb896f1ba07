import { and, eq, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { usage } from "../../schema/usage.ts";
import { defineStatement, rowReader } from "../../statement.ts";

export interface Reservation {
  readonly accountId: string;
  readonly period: string;
  readonly bytes: number;
  /** The plan's bytes per period; null is unlimited. */
  readonly limit: number | null;
}

/**
 * Reserves `bytes` of the period's quota in one conditional statement, so that concurrent requests
 * cannot exceed the limit. With 0 bytes (the size is not known yet), it only checks that some quota is
 * left. False if the quota does not suffice.
 */
export async function reserveBytes(db: Queryable, request: Reservation): Promise<boolean> {
  const { accountId, period, bytes, limit } = request;
  // The first reservation of a period has no row to compare with.
  if (limit !== null && bytes > limit) return false;
  const filled = sql`${usage.usedBytes} + ${usage.reservedBytes}`;
  const fits =
    limit === null
      ? sql`true`
      : bytes === 0
        ? sql`${filled} < ${limit}`
        : sql`${filled} + ${bytes}::bigint <= ${limit}`;
  const rows = await db
    .insert(usage)
    .values({ accountId, period, reservedBytes: bytes })
    .onConflictDoUpdate({
      target: [usage.accountId, usage.period],
      set: {
        reservedBytes: sql`${usage.reservedBytes} + ${bytes}`,
      },
      setWhere: fits,
    })
    .returning({ accountId: usage.accountId });
  return rows.length > 0;
}

/** Reverts the count of an accepted job. */
export async function uncountJob(db: Queryable, accountId: string, period: string): Promise<void> {
  await db
    .update(usage)
    .set({ totalJobs: sql`${usage.totalJobs} - 1` })
    .where(and(eq(usage.accountId, accountId), eq(usage.period, period)));
}

/** Ends the reservation of a job that used nothing. */
export async function releaseReservation(
  db: Queryable,
  job: { accountId: string; period: string; reservedBytes: number },
): Promise<void> {
  await db
    .update(usage)
    .set({ reservedBytes: sql`${usage.reservedBytes} - ${job.reservedBytes}` })
    .where(and(eq(usage.accountId, job.accountId), eq(usage.period, job.period)));
}

const readPeriod = defineStatement<"accountId" | "period">(
  (value) => sql`
    select * from usage
    where account_id = ${value("accountId")}::text and period = ${value("period")}::text`,
);

const readRow = rowReader(usage);

export async function readUsage(
  db: Queryable,
  accountId: string,
  period: string,
): Promise<{ usedBytes: number; reservedBytes: number; totalJobs: number }> {
  const [row] = await db.execute(readPeriod({ accountId, period }));
  if (!row) return { usedBytes: 0, reservedBytes: 0, totalJobs: 0 };
  const { usedBytes, reservedBytes, totalJobs } = readRow(row);
  return { usedBytes, reservedBytes, totalJobs };
}
