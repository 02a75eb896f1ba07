import { eq, lt, sql } from "drizzle-orm";
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
 * Ends the staging: the files now belong to a job, or the caller deletes them. False if the staging
 * had already ended.
 */
export async function deleteStagedUpload(db: Queryable, jobId: string): Promise<boolean> {
  const rows = await db
    .delete(stagedUploads)
    .where(eq(stagedUploads.jobId, jobId))
    .returning({ jobId: stagedUploads.jobId });
  return rows.length > 0;
}

/** Deletes staged uploads older than `seconds`. Returns the job ids whose files are to be deleted. */
export async function deleteOldStagedUploads(db: Queryable, seconds: number): Promise<string[]> {
  const rows = await db
    .delete(stagedUploads)
    .where(lt(stagedUploads.createdAt, sql`now() - make_interval(secs => ${seconds})`))
    .returning({ jobId: stagedUploads.jobId });
  return rows.map(({ jobId }) => jobId);
}
