import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";
import {
  countJobs,
  type JobFilter,
  type JobPage,
  type ListedJobs,
  pageClauses,
  planForFilter,
  trimPage,
} from "./lists.ts";

/** The columns that lists show. The columns that may be large are not among them. */
const columns = {
  id: jobs.id,
  operation: jobs.operation,
  status: jobs.status,
  progress: jobs.progress,
  input: jobs.input,
  error: jobs.error,
  errorCode: jobs.errorCode,
  warnings: sql<number>`json_array_length(${jobs.warnings})`,
  createdAt: jobs.createdAt,
  startedAt: jobs.startedAt,
  completedAt: jobs.completedAt,
};

/** The columns of a job that lists show, with the number of its warnings. */
export interface JobSummaryRow extends Pick<JobRow, Exclude<keyof typeof columns, "warnings">> {
  readonly warnings: number;
}

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

/** A page of an account's jobs that match `filter`, newest first. */
export async function listJobSummaries(
  db: Queryable,
  accountId: string,
  filter: JobFilter,
  page: JobPage,
): Promise<ListedJobs<JobSummaryRow>> {
  const { where, orderBy, limit, offset } = pageClauses(accountId, filter, page);
  return planForFilter(db, filter, async (planned) => {
    const query = planned
      .select(columns)
      .from(jobs)
      .where(where)
      .orderBy(...orderBy)
      .limit(limit)
      .offset(offset);
    const [rows, total] = await Promise.all([query, countJobs(planned, accountId, filter)]);
    return { ...trimPage(rows, page), total };
  });
}
