import { and, eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { finalStatuses, unfinishedStatuses } from "../../schema/job-states.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";

/** Cancels a job that has not ended. Undefined if it has ended or the account has no such job. */
export async function cancelJobRow(
  db: Queryable,
  accountId: string,
  id: string,
  expiresAt: Date,
): Promise<JobRow | undefined> {
  const rows = await db
    .update(jobs)
    .set({
      status: "cancelled",
      leaseToken: null,
      leaseExpiresAt: null,
      completedAt: sql`now()`,
      expiresAt,
    })
    .where(
      and(eq(jobs.id, id), eq(jobs.accountId, accountId), inArray(jobs.status, unfinishedStatuses)),
    )
    .returning();
  return rows[0];
}

/** Marks the files of an ended job as deleted. False if it has not ended or there is no such job. */
export async function markFilesDeletedIfEnded(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<boolean> {
  const rows = await db
    .update(jobs)
    .set({ filesDeletedAt: sql`coalesce(${jobs.filesDeletedAt}, now())` })
    .where(
      and(eq(jobs.id, id), eq(jobs.accountId, accountId), inArray(jobs.status, [...finalStatuses])),
    )
    .returning({ id: jobs.id });
  return rows.length > 0;
}

/** Reverts `markFilesDeletedIfEnded`, so that the sweep deletes the files of the job. */
export async function expireFilesNow(db: Queryable, id: string): Promise<void> {
  const due = { filesDeletedAt: null, expiresAt: sql`now()` };
  await db.update(jobs).set(due).where(eq(jobs.id, id));
}
