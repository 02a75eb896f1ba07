import { and, eq, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { apiKeys } from "../../schema/api-keys.ts";
import { identities } from "../../schema/identities.ts";
import { finalStatuses } from "../../schema/job-statuses.ts";
import { jobs } from "../../schema/jobs.ts";
import { passwordResets } from "../../schema/password-resets.ts";
import { sessions } from "../../schema/sessions.ts";
import { uploads } from "../../schema/uploads.ts";

/**
 * Shuts an account for good, in one transaction: nothing opens it from now on, its address is free
 * for another, and all of its files are past their time. False where that was done before.
 */
export async function shutAccount(tx: Queryable, id: string): Promise<boolean> {
  const shut = await tx
    .update(accounts)
    .set({ deletedAt: sql`now()`, email: `deleted:${id}`, passwordHash: null })
    .where(and(eq(accounts.id, id), isNull(accounts.deletedAt)))
    .returning({ id: accounts.id });
  if (shut.length === 0) return false;
  await tx.delete(sessions).where(eq(sessions.accountId, id));
  await tx.delete(identities).where(eq(identities.accountId, id));
  await tx.delete(passwordResets).where(eq(passwordResets.accountId, id));
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.accountId, id), isNull(apiKeys.revokedAt)));
  await tx.update(uploads).set({ expiresAt: sql`now()` }).where(eq(uploads.accountId, id));
  return true;
}

/** Accounts that were shut and still have rows; `old` are those of more than a day ago. */
export function listShutAccounts(db: Queryable): Promise<{ id: string; old: boolean }[]> {
  const old = sql<boolean>`${accounts.deletedAt} < now() - interval '1 day'`;
  return db.select({ id: accounts.id, old }).from(accounts).where(isNotNull(accounts.deletedAt));
}

/** An account's jobs that have not ended. */
export function listUnfinishedJobs(db: Queryable, accountId: string): Promise<{ id: string }[]> {
  return db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.accountId, accountId), inArray(jobs.status, ["pending", "processing"])));
}

/** An account's ended jobs with files, some of them at a time. */
export function listJobsWithFiles(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<{ id: string }[]> {
  return db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.accountId, accountId),
        isNull(jobs.filesDeletedAt),
        inArray(jobs.status, [...finalStatuses]),
      ),
    )
    .limit(limit);
}

/** Jobs of a shut account that ended with it or later: their runner may have written after their files were deleted. */
export function listJobsEndedByShutting(
  db: Queryable,
  accountId: string,
): Promise<{ id: string }[]> {
  return db
    .select({ id: jobs.id })
    .from(jobs)
    .innerJoin(accounts, eq(accounts.id, jobs.accountId))
    .where(and(eq(jobs.accountId, accountId), lt(accounts.deletedAt, jobs.completedAt)));
}

/** Forgets a shut account and all that is recorded of it. */
export async function deleteShutAccount(db: Queryable, id: string): Promise<void> {
  await db.delete(accounts).where(and(eq(accounts.id, id), isNotNull(accounts.deletedAt)));
}
