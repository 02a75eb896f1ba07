import { and, eq } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";

/** A job of the account. */
export async function findJob(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<JobRow | undefined> {
  const rows = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.accountId, accountId)));
  return rows[0];
}

/** A job of any account: for runners, and for URLs whose signature is the permission. */
export async function findJobById(db: Queryable, id: string): Promise<JobRow | undefined> {
  return (await db.select().from(jobs).where(eq(jobs.id, id)))[0];
}
