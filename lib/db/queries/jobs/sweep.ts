import { and, asc, eq, isNull, lt, notInArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";
import { strippedFiles } from "./strip-queries.ts";

/** Ended jobs whose files are past their retention, but none of `except`: the longest expired ones first. */
export function listExpiredJobs(
  db: Queryable,
  limit: number,
  except: readonly string[] = [],
): Promise<Pick<JobRow, "id">[]> {
  return db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        lt(jobs.expiresAt, sql`now()`),
        isNull(jobs.filesDeletedAt),
        notInArray(jobs.id, [...except]),
      ),
    )
    .orderBy(asc(jobs.expiresAt))
    .limit(limit);
}

/** Marks the files of a job as deleted, and removes the queries of their URLs. */
export async function markFilesDeleted(db: Queryable, id: string): Promise<void> {
  await db
    .update(jobs)
    .set({ ...strippedFiles, filesDeletedAt: sql`coalesce(${jobs.filesDeletedAt}, now())` })
    .where(eq(jobs.id, id));
}
