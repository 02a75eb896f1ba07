import { and, desc, eq, ne, sql } from "drizzle-orm";
import type { JobErrorCode } from "#lib/errors.ts";
import type { PlanName } from "#lib/plans.ts";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import type { JobStatus } from "../../schema/job-states.ts";
import { type JobRow, jobs, unfinishedList } from "../../schema/jobs.ts";

/** A job of any account. */
export async function findJobOfAnyone(db: Queryable, id: string): Promise<JobRow | undefined> {
  return (await db.select().from(jobs).where(eq(jobs.id, id)))[0];
}

/** The most unfinished jobs that are counted, so that a long queue does not slow the page. */
export const maxCountedJobs = 50_000;

/** Unfinished jobs of one plan, operation and status. */
export interface QueuedJobs {
  readonly plan: PlanName;
  readonly operation: string;
  readonly status: JobStatus;
  readonly jobs: number;
  /** The seconds since the oldest of them was accepted. */
  readonly oldestSeconds: number;
}

/** Each branch has the condition of a partial index. */
const unfinished = sql`(
  (
    select id, account_id, plan, operation, status, stage, created_at from jobs
    where status in ${unfinishedList} and lease_token is null limit ${sql.raw(String(maxCountedJobs))}
  ) union all (
    select id, account_id, plan, operation, status, stage, created_at from jobs
    where status = 'processing' and lease_token is not null limit ${sql.raw(String(maxCountedJobs))}
  )
)`;

/** The unfinished jobs by plan, operation and status, most first. */
export async function countQueuedJobs(db: Queryable): Promise<QueuedJobs[]> {
  const rows = await db.execute<Record<keyof QueuedJobs, string>>(sql`
    select plan, operation, status, count(*) as jobs,
      extract(epoch from now() - min(created_at)) as "oldestSeconds"
    from ${unfinished} as queued where plan <> 'system'
    group by plan, operation, status order by count(*) desc, plan, operation limit 200`);
  return rows.map((row) => ({
    // The columns have these types; a raw statement returns text.
    plan: row.plan as PlanName,
    operation: row.operation,
    status: row.status as JobStatus,
    jobs: Number(row.jobs),
    oldestSeconds: Number(row.oldestSeconds),
  }));
}

/** A job of any account, without its parameters, files and URLs. */
export interface AnyoneJob {
  readonly id: string;
  readonly email: string;
  readonly operation: string;
  readonly plan: PlanName;
  readonly status: JobStatus;
  readonly errorCode: JobErrorCode | null;
  readonly createdAt: Date;
}

const columns = {
  id: jobs.id,
  email: accounts.email,
  operation: jobs.operation,
  plan: jobs.plan,
  status: jobs.status,
  errorCode: jobs.errorCode,
  createdAt: jobs.createdAt,
};

/** The oldest unfinished jobs of all accounts. */
export function listUnfinishedOfAnyone(db: Queryable, limit: number): Promise<AnyoneJob[]> {
  const oldest = sql`(select id from ${unfinished} as queued where plan <> 'system'
    order by created_at limit ${limit})`;
  return db
    .select(columns)
    .from(jobs)
    .innerJoin(accounts, eq(accounts.id, jobs.accountId))
    .where(sql`${jobs.id} in ${oldest}`)
    .orderBy(jobs.createdAt);
}

/** The newest failed jobs of all accounts among the newest `searched` jobs. */
export function listFailedOfAnyone(
  db: Queryable,
  { limit, searched }: { limit: number; searched: number },
): Promise<AnyoneJob[]> {
  const newest = sql`(select id from (
    select id, status, plan from jobs order by id desc limit ${searched}
  ) as newest where status = 'failed' and plan <> 'system' order by id desc limit ${limit})`;
  return db
    .select(columns)
    .from(jobs)
    .innerJoin(accounts, eq(accounts.id, jobs.accountId))
    .where(sql`${jobs.id} in ${newest}`)
    .orderBy(desc(jobs.id));
}

/** One job of any account, for the search by id. */
export async function findJobSummary(db: Queryable, id: string): Promise<AnyoneJob | undefined> {
  const rows = await db
    .select(columns)
    .from(jobs)
    .innerJoin(accounts, eq(accounts.id, jobs.accountId))
    .where(and(eq(jobs.id, id), ne(jobs.plan, "system")));
  return rows[0];
}
