import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { passwordResets } from "../../schema/password-resets.ts";

/** How long a link to a new password works. */
export const resetMinutes = 60;

export async function insertPasswordReset(
  db: Queryable,
  values: { hash: string; accountId: string },
): Promise<void> {
  const expiresAt = sql`now() + make_interval(mins => ${resetMinutes})`;
  await db.insert(passwordResets).values({ ...values, expiresAt });
}

/** The account whose password this link may replace; undefined where it does not work any more. */
export async function findPasswordReset(
  db: Queryable,
  hash: string,
): Promise<{ accountId: string; email: string } | undefined> {
  const rows = await db
    .select({ accountId: accounts.id, email: accounts.email })
    .from(passwordResets)
    .innerJoin(accounts, eq(accounts.id, passwordResets.accountId))
    .where(
      and(
        eq(passwordResets.hash, hash),
        gt(passwordResets.expiresAt, sql`now()`),
        isNull(accounts.deletedAt),
      ),
    );
  return rows[0];
}

/** Uses a link up, whose it was is told to one caller alone; undefined to every other. */
export async function takePasswordReset(db: Queryable, hash: string): Promise<string | undefined> {
  const rows = await db
    .delete(passwordResets)
    .where(and(eq(passwordResets.hash, hash), gt(passwordResets.expiresAt, sql`now()`)))
    .returning({ accountId: passwordResets.accountId });
  return rows[0]?.accountId;
}

/** Lets all links of an account go stale. */
export async function deletePasswordResets(db: Queryable, accountId: string): Promise<void> {
  await db.delete(passwordResets).where(eq(passwordResets.accountId, accountId));
}

export async function deleteExpiredResets(db: Queryable): Promise<void> {
  await db.delete(passwordResets).where(lt(passwordResets.expiresAt, sql`now()`));
}
