import { and, desc, eq, inArray } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";
import { countJobs, type JobFilter, jobsOf } from "./jobs.ts";

/** The columns that lists show. The columns that may be large are not among them. */
const columns = {
  id: jobs.id,
  operation: jobs.operation,
  status: jobs.status,
  progress: jobs.progress,
  input: jobs.input,
  error: jobs.error,
  errorCode: jobs.errorCode,
  createdAt: jobs.createdAt,
  startedAt: jobs.startedAt,
  completedAt: jobs.completedAt,
};

export type JobSummaryRow = Pick<JobRow, keyof typeof columns>;

/** An account's newest jobs, newest first. */
export function listNewestJobs(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<JobSummaryRow[]> {
  return db
    .select(columns)
    .from(jobs)
    .where(eq(jobs.accountId, accountId))
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(limit);
}

/** The account's jobs among `ids`, in no particular order. */
export async function findJobSummaries(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<JobSummaryRow[]> {
  if (ids.length === 0) return [];
  return db
    .select(columns)
    .from(jobs)
    .where(and(eq(jobs.accountId, accountId), inArray(jobs.id, [...ids])));
}

/** A page of an account's jobs that match `filter`, newest first, and the total number. */
export async function pageJobSummaries(
  db: Queryable,
  accountId: string,
  filter: JobFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: JobSummaryRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db
      .select(columns)
      .from(jobs)
      .where(jobsOf(accountId, filter))
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      .limit(page.limit)
      .offset(page.offset),
    countJobs(db, accountId, filter),
  ]);
  return { rows, total };
}
