import { and, count, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../client.ts";
import { type JobInsert, type JobRow, type JobStatus, jobs } from "../schema/jobs.ts";

/** Inserts a job and tells those who wait for work of its account. */
export async function insertJob(db: Queryable, values: JobInsert): Promise<JobRow> {
  const [row] = await db.insert(jobs).values(values).returning();
  if (!row) throw new Error("the inserted job did not come back");
  return row;
}

/** An account's own job; another's does not exist. */
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

/** Any account's job: for runners, and for links whose signature is the permission. */
export async function findJobById(db: Queryable, id: string): Promise<JobRow | undefined> {
  return (await db.select().from(jobs).where(eq(jobs.id, id)))[0];
}

export interface JobFilter {
  readonly status?: JobStatus | undefined;
  readonly operation?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** A page of an account's jobs, newest first, and how many there are in all. */
export async function listJobs(
  db: Queryable,
  accountId: string,
  filter: JobFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: JobRow[]; total: number }> {
  const conditions: SQL[] = [eq(jobs.accountId, accountId)];
  if (filter.status) conditions.push(eq(jobs.status, filter.status));
  if (filter.operation) conditions.push(eq(jobs.operation, filter.operation));
  if (filter.createdAfter) conditions.push(gte(jobs.createdAt, filter.createdAfter));
  if (filter.createdBefore) conditions.push(lt(jobs.createdAt, filter.createdBefore));
  const where = and(...conditions);
  const [rows, totals] = await Promise.all([
    db
      .select()
      .from(jobs)
      .where(where)
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      .limit(page.limit)
      .offset(page.offset),
    db.select({ total: count() }).from(jobs).where(where),
  ]);
  return { rows, total: totals[0]?.total ?? 0 };
}

/** Remembers that the queue was told of a job. */
export async function markHandedOver(db: Queryable, id: string): Promise<void> {
  await db.update(jobs).set({ handedOverAt: sql`now()` }).where(eq(jobs.id, id));
}
