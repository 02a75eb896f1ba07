import { and, eq, inArray, isNotNull, isNull, lt, notInArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { identities } from "../../schema/credentials/identities.ts";
import { passwordResets } from "../../schema/credentials/password-resets.ts";
import { sessions } from "../../schema/credentials/sessions.ts";
import { imageDays } from "../../schema/images/image-days.ts";
import { finalStatuses, unfinishedStatuses } from "../../schema/job-states.ts";
import { jobs } from "../../schema/jobs.ts";
import { uploads } from "../../schema/uploads/uploads.ts";
import { revokeAllApiKeys } from "./api-keys.ts";
import { deleteDecidedDevices } from "./device-codes.ts";

/**
 * Closes an account in the caller's transaction: no credential works from now on, its email address
 * can be used for another account, and its uploads have expired. False if it was already closed.
 */
export async function markAccountClosed(tx: Queryable, id: string): Promise<boolean> {
  const closed = await tx
    .update(accounts)
    .set({ deletedAt: sql`now()`, email: `deleted:${id}`, passwordHash: null })
    .where(and(eq(accounts.id, id), isNull(accounts.deletedAt)))
    .returning({ id: accounts.id });
  if (closed.length === 0) return false;
  await tx.delete(sessions).where(eq(sessions.accountId, id));
  await tx.delete(identities).where(eq(identities.accountId, id));
  await tx.delete(passwordResets).where(eq(passwordResets.accountId, id));
  // First the codes: a device that takes its key at the same time has it before the keys are revoked.
  await deleteDecidedDevices(tx, id);
  await revokeAllApiKeys(tx, id);
  await tx.update(uploads).set({ expiresAt: sql`now()` }).where(eq(uploads.accountId, id));
  return true;
}

/** A closed account of which something is to be deleted. */
export interface ClosedAccount {
  readonly id: string;
  /** Then its records are deleted. */
  readonly closedForADay: boolean;
  readonly hasPictures: boolean;
}

/**
 * Lists at most `limit` closed accounts that have files or pictures, or were closed a day ago, but none of `except`.
 * Most are those of visitors whose files were deleted long before.
 */
export function listClosedAccounts(
  db: Queryable,
  limit: number,
  except: readonly string[] = [],
): Promise<ClosedAccount[]> {
  const closedForADay = sql<boolean>`(${accounts.deletedAt} < now() - interval '1 day')`;
  const hasFiles = sql`exists (select from jobs where account_id = accounts.id and files_deleted_at is null)`;
  // Pictures are counted after they were stored; those that were not counted are deleted with the records.
  const isCounted = sql`exists (select from image_days where account_id = accounts.id)`;
  const hasPictures = sql<boolean>`(${isCounted} or (${closedForADay} and ${accounts.plan} <> 'visitor'))`;
  return (
    db
      .select({ id: accounts.id, closedForADay, hasPictures })
      .from(accounts)
      .where(
        and(
          isNotNull(accounts.deletedAt),
          sql`(${closedForADay} or ${hasFiles} or ${isCounted})`,
          notInArray(accounts.id, [...except]),
        ),
      )
      // One with very many files must not keep the others waiting.
      .orderBy(sql`random()`)
      .limit(limit)
  );
}

/** Forgets that a closed account had pictures. */
export async function deleteImageDays(db: Queryable, accountId: string): Promise<void> {
  await db.delete(imageDays).where(eq(imageDays.accountId, accountId));
}

/** An account's jobs that have not ended. */
export function listUnfinishedJobs(db: Queryable, accountId: string): Promise<{ id: string }[]> {
  return db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.accountId, accountId), inArray(jobs.status, unfinishedStatuses)));
}

/** Reads at most `limit` of an account's ended jobs that still have files, but none of `except`. */
export function listJobsWithFiles(
  db: Queryable,
  accountId: string,
  limit: number,
  except: readonly string[] = [],
): Promise<{ id: string }[]> {
  return db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.accountId, accountId),
        isNull(jobs.filesDeletedAt),
        inArray(jobs.status, [...finalStatuses]),
        notInArray(jobs.id, [...except]),
      ),
    )
    .limit(limit);
}

/** Jobs that ended when their account was closed or later. Their runner may have written after their files were deleted. */
export function listJobsEndedByClosing(
  db: Queryable,
  accountId: string,
): Promise<{ id: string }[]> {
  return db
    .select({ id: jobs.id })
    .from(jobs)
    .innerJoin(accounts, eq(accounts.id, jobs.accountId))
    .where(and(eq(jobs.accountId, accountId), lt(accounts.deletedAt, jobs.completedAt)));
}

/** Deletes a closed account and all its records. False if it has files: nothing would name them then. */
export async function deleteClosedAccount(db: Queryable, id: string): Promise<boolean> {
  const hasNoFiles = sql`not exists (select from jobs where account_id = ${id} and files_deleted_at is null)
    and not exists (select from uploads where account_id = ${id} and files_deleted_at is null)`;
  const rows = await db
    .delete(accounts)
    .where(and(eq(accounts.id, id), isNotNull(accounts.deletedAt), hasNoFiles))
    .returning({ id: accounts.id });
  return rows.length > 0;
}
