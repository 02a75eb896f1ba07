import { and, eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { finalStatuses } from "../../schema/job-states.ts";
import { jobs } from "../../schema/jobs.ts";
import { strippedFiles } from "./strip-queries.ts";

/** Marks the files of an ended job as deleted, and removes the queries of their URLs. False if it has not ended or there is no such job. */
export async function markFilesDeletedIfEnded(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<boolean> {
  const rows = await db
    .update(jobs)
    .set({ ...strippedFiles, filesDeletedAt: sql`coalesce(${jobs.filesDeletedAt}, now())` })
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
