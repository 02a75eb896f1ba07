import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { Queryable } from "../client.ts";
import { type JobRow, jobs } from "../schema/jobs.ts";

/** Jobs that nobody holds though they could have run `seconds` ago. */
export function listUnannouncedJobs(db: Queryable, seconds: number): Promise<JobRow[]> {
  return db
    .select()
    .from(jobs)
    .where(
      sql`${jobs.status} in ('pending', 'processing') and ${jobs.leaseToken} is null
        and ${jobs.runAfter} < now() - make_interval(secs => ${seconds})`,
    )
    .orderBy(jobs.priority, jobs.createdAt)
    .limit(1000);
}

/** Final jobs whose files are past their retention. */
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
