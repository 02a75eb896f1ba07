import { eq, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { attemptLimits } from "../../schema/attempt-limits.ts";

/** Allows `burst` attempts at once, then one every `secondsEach`. */
export interface AttemptLimit {
  readonly burst: number;
  readonly secondsEach: number;
}

/**
 * Consumes one attempt of `subject` (generic cell rate algorithm). One conditional statement, so that
 * concurrent attempts cannot exceed the limit. Returns 0, or consumes nothing and returns the seconds
 * until the next attempt. Uses `clock_timestamp()`, because the transaction may have waited for others
 * since its `now()`.
 */
export async function consumeAttempt(
  db: Queryable,
  subject: string,
  { burst, secondsEach }: AttemptLimit,
): Promise<number> {
  const each = sql`make_interval(secs => ${secondsEach})`;
  const next = sql`greatest(${attemptLimits.resetsAt}, clock_timestamp()) + ${each}`;
  const latest = sql`clock_timestamp() + make_interval(secs => ${burst * secondsEach})`;
  const consumed = await db
    .insert(attemptLimits)
    .values({ subject, resetsAt: sql`clock_timestamp() + ${each}` })
    .onConflictDoUpdate({
      target: attemptLimits.subject,
      set: { resetsAt: next },
      setWhere: sql`${next} <= ${latest}`,
    })
    .returning({ subject: attemptLimits.subject });
  if (consumed.length > 0) return 0;
  const rows = await db
    .select({ seconds: sql<number>`extract(epoch from ${next} - (${latest}))::float8` })
    .from(attemptLimits)
    .where(eq(attemptLimits.subject, subject));
  return Math.max(1, Math.ceil(rows[0]?.seconds ?? 0));
}

/** Returns an attempt that should not count. */
export async function refundAttempt(
  db: Queryable,
  subject: string,
  { secondsEach }: AttemptLimit,
): Promise<void> {
  await db
    .update(attemptLimits)
    .set({ resetsAt: sql`${attemptLimits.resetsAt} - make_interval(secs => ${secondsEach})` })
    .where(eq(attemptLimits.subject, subject));
}

/** Deletes the rows whose attempts are all available again. */
export async function deleteExpiredAttemptLimits(db: Queryable): Promise<void> {
  await db.delete(attemptLimits).where(lt(attemptLimits.resetsAt, sql`clock_timestamp()`));
}
