import { eq, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { attemptLimits } from "../../schema/attempt-limits.ts";

/** `burst` attempts at once, then one every `secondsEach`. */
export interface AttemptLimit {
  readonly burst: number;
  readonly secondsEach: number;
}

/**
 * Takes one attempt of `subject`'s; one conditional statement, so that no race gets past the limit
 * (generic cell rate algorithm). Answers 0, or the seconds until there is one, and takes none. By the
 * clock, not by the transaction's beginning: it may have waited for the others long since.
 */
export async function takeAttempt(
  db: Queryable,
  subject: string,
  { burst, secondsEach }: AttemptLimit,
): Promise<number> {
  const each = sql`make_interval(secs => ${secondsEach})`;
  const next = sql`greatest(${attemptLimits.clearAt}, clock_timestamp()) + ${each}`;
  const latest = sql`clock_timestamp() + make_interval(secs => ${burst * secondsEach})`;
  const taken = await db
    .insert(attemptLimits)
    .values({ subject, clearAt: sql`clock_timestamp() + ${each}` })
    .onConflictDoUpdate({
      target: attemptLimits.subject,
      set: { clearAt: next },
      setWhere: sql`${next} <= ${latest}`,
    })
    .returning({ subject: attemptLimits.subject });
  if (taken.length > 0) return 0;
  const rows = await db
    .select({ seconds: sql<number>`extract(epoch from ${next} - (${latest}))::float8` })
    .from(attemptLimits)
    .where(eq(attemptLimits.subject, subject));
  return Math.max(1, Math.ceil(rows[0]?.seconds ?? 0));
}

/** Gives an attempt back that turned out not to be one. */
export async function giveBackAttempt(
  db: Queryable,
  subject: string,
  { secondsEach }: AttemptLimit,
): Promise<void> {
  await db
    .update(attemptLimits)
    .set({ clearAt: sql`${attemptLimits.clearAt} - make_interval(secs => ${secondsEach})` })
    .where(eq(attemptLimits.subject, subject));
}

/** Forgets those who have all their attempts again. */
export async function deleteClearLimits(db: Queryable): Promise<void> {
  await db.delete(attemptLimits).where(lt(attemptLimits.clearAt, sql`clock_timestamp()`));
}
