import { and, asc, eq, gte, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { imageDays } from "../../schema/images/image-days.ts";
import { usage } from "../../schema/usage.ts";

export type ImageDay = typeof imageDays.$inferSelect;

/** Adds counts to their days. Rows are sorted, so that two processes cannot deadlock. */
export async function addToImageDays(db: Queryable, counted: readonly ImageDay[]): Promise<void> {
  const keyOf = ({ accountId, day }: ImageDay) => `${accountId} ${day}`;
  const rows = counted.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  await db
    .insert(imageDays)
    .values(rows)
    .onConflictDoUpdate({
      target: [imageDays.accountId, imageDays.day],
      set: {
        hits: sql`${imageDays.hits} + excluded.hits`,
        misses: sql`${imageDays.misses} + excluded.misses`,
        errors: sql`${imageDays.errors} + excluded.errors`,
        sourceBytes: sql`${imageDays.sourceBytes} + excluded.source_bytes`,
        sentBytes: sql`${imageDays.sentBytes} + excluded.sent_bytes`,
      },
    });
}

/** An account's days from `since` on, such as `2026-11-01`, oldest first. */
export function listImageDays(
  db: Queryable,
  accountId: string,
  since: string,
): Promise<ImageDay[]> {
  return db
    .select()
    .from(imageDays)
    .where(and(eq(imageDays.accountId, accountId), gte(imageDays.day, since)))
    .orderBy(asc(imageDays.day));
}

/** Whether an account has ever requested pictures by URL. */
export async function hasImageDays(db: Queryable, accountId: string): Promise<boolean> {
  const rows = await db
    .select({ day: imageDays.day })
    .from(imageDays)
    .where(eq(imageDays.accountId, accountId))
    .limit(1);
  return rows.length > 0;
}

/**
 * Counts the bytes of a source against the period's quota, in one conditional statement. False if the
 * quota does not suffice.
 */
export async function countSourceBytes(
  db: Queryable,
  request: {
    readonly accountId: string;
    readonly period: string;
    readonly bytes: number;
    /** The plan's bytes per period; null is unlimited. */
    readonly limit: number | null;
  },
): Promise<boolean> {
  const { accountId, period, bytes, limit } = request;
  // The first bytes of a period have no row to compare with.
  if (limit !== null && bytes > limit) return false;
  const sum = sql`${usage.usedBytes} + ${usage.reservedBytes} + ${bytes}::bigint`;
  const rows = await db
    .insert(usage)
    .values({ accountId, period, usedBytes: bytes })
    .onConflictDoUpdate({
      target: [usage.accountId, usage.period],
      set: { usedBytes: sql`${usage.usedBytes} + ${bytes}` },
      setWhere: limit === null ? sql`true` : sql`${sum} <= ${limit}`,
    })
    .returning({ accountId: usage.accountId });
  return rows.length > 0;
}
