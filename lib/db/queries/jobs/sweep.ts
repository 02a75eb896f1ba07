import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";

/** Ended jobs whose files are past their retention. */
export function listExpiredJobs(db: Queryable, limit: number): Promise<Pick<JobRow, "id">[]> {
  return db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(lt(jobs.expiresAt, sql`now()`), isNull(jobs.filesDeletedAt)))
    .limit(limit);
}

export async function markFilesDeleted(db: Queryable, id: string): Promise<void> {
  await db.update(jobs).set({ filesDeletedAt: sql`now()` }).where(eq(jobs.id, id));
}
