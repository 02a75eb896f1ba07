import { and, eq, inArray, lt, notInArray, or, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { stagedUploads } from "../../schema/staged-uploads.ts";
import { defineStatement } from "../../statement.ts";

const insertStaged = defineStatement<"jobId">(
  (value) =>
    sql`insert into staged_uploads (job_id) values (${value("jobId")}::text) on conflict do nothing`,
);

/** Records that files of a job are about to be stored. */
export async function insertStagedUpload(db: Queryable, jobId: string): Promise<void> {
  await db.execute(insertStaged({ jobId }));
}

/**
 * Marks the files of a request as discarded: the caller deletes them, and then the row. False if they belong to a job, or
 * another caller deletes them.
 */
export async function discardStaged(db: Queryable, jobId: string): Promise<boolean> {
  const isStaged = and(eq(stagedUploads.jobId, jobId), eq(stagedUploads.discarded, false));
  const rows = await db
    .update(stagedUploads)
    .set({ discarded: true })
    .where(isStaged)
    .returning({ jobId: stagedUploads.jobId });
  return rows.length > 0;
}

/** Deletes the row of discarded files, after they were deleted. */
export async function deleteStagedUpload(db: Queryable, jobId: string): Promise<void> {
  const isDiscarded = and(eq(stagedUploads.jobId, jobId), eq(stagedUploads.discarded, true));
  await db.delete(stagedUploads).where(isDiscarded);
}

/**
 * Marks what was staged more than `seconds` ago as discarded, at most `limit` and none of `except`. Returns the ids of
 * the jobs whose files are to be deleted, also those that were discarded before and not deleted.
 */
export async function discardOldStaged(
  db: Queryable,
  {
    seconds,
    limit,
    except,
  }: {
    readonly seconds: number;
    readonly limit: number;
    readonly except: readonly string[];
  },
): Promise<{ readonly id: string }[]> {
  const { jobId, createdAt, discarded } = stagedUploads;
  const isOld = lt(createdAt, sql`now() - make_interval(secs => ${seconds})`);
  const found = db
    .select({ jobId })
    .from(stagedUploads)
    .where(and(or(isOld, discarded), notInArray(jobId, [...except])))
    .orderBy(jobId)
    .limit(limit)
    // Other runners do this at the same time.
    .for("update", { skipLocked: true });
  return db
    .update(stagedUploads)
    .set({ discarded: true })
    .where(inArray(jobId, found))
    .returning({ id: jobId });
}
