import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { passwordResets } from "../../schema/credentials/password-resets.ts";

/** How long a password reset link is valid. */
export const resetMinutes = 60;

export async function insertPasswordReset(
  db: Queryable,
  values: { hash: string; accountId: string },
): Promise<void> {
  const expiresAt = sql`now() + make_interval(mins => ${resetMinutes})`;
  await db.insert(passwordResets).values({ ...values, expiresAt });
}

/** The account whose password a link may replace. Undefined if the link is not valid. */
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

/** Deletes a valid link and returns its account. Of concurrent calls, only one gets the account. */
export async function consumePasswordReset(
  db: Queryable,
  hash: string,
): Promise<string | undefined> {
  const rows = await db
    .delete(passwordResets)
    .where(and(eq(passwordResets.hash, hash), gt(passwordResets.expiresAt, sql`now()`)))
    .returning({ accountId: passwordResets.accountId });
  return rows[0]?.accountId;
}

/** Invalidates all links of an account. */
export async function deletePasswordResets(db: Queryable, accountId: string): Promise<void> {
  await db.delete(passwordResets).where(eq(passwordResets.accountId, accountId));
}

export async function deleteExpiredResets(db: Queryable): Promise<void> {
  await db.delete(passwordResets).where(lt(passwordResets.expiresAt, sql`now()`));
}
