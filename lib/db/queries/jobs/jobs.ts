import { and, count, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type JobInsert, type JobRow, type JobStatus, jobs } from "../../schema/jobs.ts";
import { sumJobs } from "../usage/usage-days.ts";

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
  /** The id, or its beginning. */
  readonly id?: string | undefined;
}

/** An account's jobs that pass `filter`. */
export function jobsOf(accountId: string, filter: JobFilter): SQL | undefined {
  const conditions: SQL[] = [eq(jobs.accountId, accountId)];
  if (filter.status) conditions.push(eq(jobs.status, filter.status));
  if (filter.operation) conditions.push(eq(jobs.operation, filter.operation));
  if (filter.createdAfter) conditions.push(gte(jobs.createdAt, filter.createdAfter));
  if (filter.createdBefore) conditions.push(lt(jobs.createdAt, filter.createdBefore));
  if (filter.id) conditions.push(matchesId(filter.id));
  return and(...conditions);
}

/** A whole id is found by its index; a part of one among the account's jobs. */
function matchesId(id: string): SQL {
  return /^job_[0-9A-Za-z]{24}$/.test(id) ? eq(jobs.id, id) : sql`starts_with(${jobs.id}, ${id})`;
}

/** A page of an account's jobs, newest first, and how many there are in all. */
export async function listJobs(
  db: Queryable,
  accountId: string,
  filter: JobFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: JobRow[]; total: number }> {
  const where = jobsOf(accountId, filter);
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(jobs)
      .where(where)
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      .limit(page.limit)
      .offset(page.offset),
    countJobs(db, accountId, filter),
  ]);
  return { rows, total };
}

/** A sum of the days' counts where they know it; else the rows are counted: few, or of a span of time. */
export async function countJobs(
  db: Queryable,
  accountId: string,
  filter: JobFilter,
): Promise<number> {
  const { id, status, operation, createdAfter, createdBefore } = filter;
  const isOpen = status === "pending" || status === "processing";
  if (!isOpen && !id && !createdAfter && !createdBefore) {
    return sumJobs(db, accountId, { status, operation });
  }
  const where = jobsOf(accountId, filter);
  return (await db.select({ total: count() }).from(jobs).where(where))[0]?.total ?? 0;
}

/** Tells the listeners of `channel` of a job: `<account id> <job id>`. */
export async function notifyOfJob(db: Queryable, channel: string, id: string): Promise<void> {
  await db.execute(
    sql`select pg_notify(${channel}, ${jobs.accountId} || ' ' || ${jobs.id}) from ${jobs} where ${jobs.id} = ${id}`,
  );
}
