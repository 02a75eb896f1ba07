import { type SQL, sql } from "drizzle-orm";
import { toBase62 } from "#lib/ids.ts";
import type { Queryable } from "../../client.ts";

/** The most jobs that statistics read: the newest of their time. */
export const maxReadJobs = 50_000;

/** The newest jobs of people that were accepted in the last `hours`. Ids sort by time: it reads one index. */
function recentJobs(hours: number): SQL {
  const oldest = `job_${toBase62(Date.now() - hours * 3_600_000, 8)}`;
  return sql`(
    select id, operation, status, error_code, plan, started_at, completed_at
    from jobs where id >= ${oldest} order by id desc limit ${sql.raw(String(maxReadJobs))}
  )`;
}

/** Jobs of one operation. */
export interface OperationStats {
  readonly operation: string;
  readonly jobs: number;
  readonly completed: number;
  readonly failed: number;
  /** Failed jobs among those that completed or failed, 0 to 1. */
  readonly failureRate: number;
  /** The time from the first claim to the end of completed jobs, in milliseconds; null without one. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** Jobs by operation, of the last `hours`: those that fail most often first, then the slowest. */
export async function listOperationStats(
  db: Queryable,
  hours: number,
): Promise<readonly OperationStats[]> {
  const duration = sql`extract(epoch from completed_at - started_at) * 1000`;
  const percentile = (share: number) => sql`percentile_cont(${sql.raw(String(share))})
    within group (order by ${duration}) filter (where status = 'completed' and started_at is not null)`;
  const rows = await db.execute<Record<string, string | null>>(sql`
    select operation, count(*) as jobs,
      count(*) filter (where status = 'completed') as completed,
      count(*) filter (where status = 'failed') as failed,
      ${percentile(0.5)} as p50, ${percentile(0.95)} as p95
    from ${recentJobs(hours)} as recent where plan <> 'system'
    group by operation`);
  return rows
    .map((row) => {
      const completed = Number(row.completed);
      const failed = Number(row.failed);
      return {
        operation: String(row.operation),
        jobs: Number(row.jobs),
        completed,
        failed,
        failureRate: failed / Math.max(1, completed + failed),
        p50Ms: row.p50 == null ? null : Number(row.p50),
        p95Ms: row.p95 == null ? null : Number(row.p95),
      };
    })
    .toSorted(
      (one, other) => other.failureRate - one.failureRate || (other.p95Ms ?? 0) - (one.p95Ms ?? 0),
    );
}

/** Failed jobs with one error code of one operation. */
export interface OperationErrors {
  readonly operation: string;
  readonly code: string;
  readonly jobs: number;
}

/** Failed jobs of the last `hours` by operation and error code, most first. */
export async function listOperationErrors(
  db: Queryable,
  hours: number,
): Promise<readonly OperationErrors[]> {
  const rows = await db.execute<{ operation: string; code: string; jobs: string }>(sql`
    select operation, error_code as code, count(*) as jobs
    from ${recentJobs(hours)} as recent
    where plan <> 'system' and error_code is not null
    group by operation, error_code order by count(*) desc, operation limit 100`);
  return rows.map((row) => ({ ...row, jobs: Number(row.jobs) }));
}

/** Jobs that ended in the last hour. */
export interface Throughput {
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** Reads the figures of the jobs that were accepted in the last day. */
export async function readThroughput(db: Queryable): Promise<Throughput> {
  const [row] = await db.execute<Record<keyof Throughput, string>>(sql`
    select count(*) filter (where status = 'completed') as completed,
      count(*) filter (where status = 'failed') as failed,
      count(*) filter (where status = 'cancelled') as cancelled
    from ${recentJobs(24)} as recent
    where plan <> 'system' and completed_at > now() - interval '1 hour'`);
  return {
    completed: Number(row?.completed),
    failed: Number(row?.failed),
    cancelled: Number(row?.cancelled),
  };
}
