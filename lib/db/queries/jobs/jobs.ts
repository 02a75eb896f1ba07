import { and, count, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { isFinalStatus } from "../../schema/job-states.ts";
import { type JobInsert, type JobRow, type JobStatus, jobs } from "../../schema/jobs.ts";
import { sumJobs } from "../usage/usage-days.ts";

export async function insertJob(db: Queryable, values: JobInsert): Promise<JobRow> {
  const [row] = await db.insert(jobs).values(values).returning();
  if (!row) throw new Error("the insert returned no job");
  return row;
}

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

export interface JobFilter {
  readonly status?: JobStatus | undefined;
  readonly operation?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  /** The id or the start of it. */
  readonly id?: string | undefined;
}

/** The condition for an account's jobs that match `filter`. */
export function jobsOf(accountId: string, filter: JobFilter): SQL | undefined {
  const conditions: SQL[] = [eq(jobs.accountId, accountId)];
  if (filter.status) conditions.push(eq(jobs.status, filter.status));
  if (filter.operation) conditions.push(eq(jobs.operation, filter.operation));
  if (filter.createdAfter) conditions.push(gte(jobs.createdAt, filter.createdAfter));
  if (filter.createdBefore) conditions.push(lt(jobs.createdAt, filter.createdBefore));
  if (filter.id) conditions.push(matchesId(filter.id));
  return and(...conditions);
}

/** A complete id uses the primary key. The start of an id is searched among the account's jobs. */
function matchesId(id: string): SQL {
  return /^job_[0-9A-Za-z]{24}$/.test(id) ? eq(jobs.id, id) : sql`starts_with(${jobs.id}, ${id})`;
}

/** A page of an account's jobs, newest first, and the total number. */
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

/** Sums the daily counts if they suffice for the filter. Otherwise counts rows. */
export async function countJobs(
  db: Queryable,
  accountId: string,
  filter: JobFilter,
): Promise<number> {
  const { id, status, operation, createdAfter, createdBefore } = filter;
  const hasDailyCount = status === undefined || isFinalStatus(status);
  if (hasDailyCount && !id && !createdAfter && !createdBefore) {
    return sumJobs(db, accountId, { status, operation });
  }
  const where = jobsOf(accountId, filter);
  return (await db.select({ total: count() }).from(jobs).where(where))[0]?.total ?? 0;
}
