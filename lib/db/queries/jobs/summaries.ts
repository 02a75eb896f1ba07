import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type JobRow, type JobStatus, jobs } from "../../schema/jobs.ts";
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
  warnings: sql<number>`json_array_length(${jobs.warnings})`.as("warning_count"),
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

/** How many jobs a search reads: with a million jobs, it still takes some milliseconds. */
export const maxSearchedJobs = 10_000;

/**
 * The newest jobs of an account whose id starts with `text`, or whose input's file name contains it in any case. Only
 * the newest `maxSearchedJobs` are searched, but a complete id is found at any age.
 */
export async function searchNewestJobs(
  db: Queryable,
  accountId: string,
  { text, status }: { readonly text?: string | undefined; readonly status?: JobStatus | undefined },
  limit: number,
): Promise<JobSummaryRow[]> {
  if (text !== undefined && isJobId(text)) return findJobSummaries(db, accountId, [text]);
  const newest = db
    .select(columns)
    .from(jobs)
    .where(and(eq(jobs.accountId, accountId), status && eq(jobs.status, status)))
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(text === undefined ? limit : maxSearchedJobs)
    .as("newest");
  const matches =
    text === undefined
      ? undefined
      : sql`starts_with(${newest.id}, ${text}) or strpos(lower(${newest.input} ->> 'filename'), lower(${text}::text)) > 0`;
  return db
    .select()
    .from(newest)
    .where(matches)
    .orderBy(desc(newest.createdAt), desc(newest.id))
    .limit(limit);
}

/** Whether the text is a complete id. */
function isJobId(text: string): boolean {
  return /^job_[0-9A-Za-z]{24}$/.test(text);
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
