import { sql } from "drizzle-orm";
import type { PlanName } from "#lib/plans.ts";
import type { Queryable } from "../../client.ts";
import { type JobStage, jobStages } from "../../schema/job-states.ts";
import { unfinishedList } from "../../schema/jobs.ts";

/** Jobs of one plan and stage that could run and that no runner holds. */
export interface WaitingJobs {
  readonly plan: PlanName;
  readonly stage: JobStage;
  readonly jobs: number;
  /** How long the oldest of them has waited. */
  readonly oldestSeconds: number;
}

export async function countWaitingJobs(db: Queryable): Promise<WaitingJobs[]> {
  const rows = await db.execute<{
    plan: PlanName;
    stage: JobStage;
    jobs: string;
    oldest: string;
  }>(sql`
    select plan, stage, count(*) as jobs,
      extract(epoch from now() - min(greatest(created_at, run_after))) as oldest
    from jobs
    where status in ${unfinishedList} and lease_token is null and run_after <= now()
    group by plan, stage`);
  return rows.map(({ plan, stage, jobs, oldest }) => ({
    plan,
    stage,
    jobs: Number(jobs),
    oldestSeconds: Number(oldest),
  }));
}

/** Waiting jobs that have the same operations. */
export interface WaitingOperations {
  /** One, or those of a chain in order. */
  readonly operations: readonly string[];
  readonly jobs: number;
}

export async function countWaitingOperations(db: Queryable): Promise<WaitingOperations[]> {
  const rows = await db.execute<{ operations: string; jobs: string }>(sql`
    select case operation when 'chain' then (
        select string_agg(step->>'type', ' ') from json_array_elements(params->'operations') as step
      ) else operation end as operations, count(*) as jobs
    from jobs
    where status in ${unfinishedList} and lease_token is null and run_after <= now()
    group by 1`);
  return rows.map(({ operations, jobs }) => ({
    operations: operations.split(" "),
    jobs: Number(jobs),
  }));
}

/** Number of running jobs by stage. */
export async function countRunningJobs(db: Queryable): Promise<Record<JobStage, number>> {
  const [row] = await db.execute<Record<JobStage, string>>(sql`
    select count(*) filter (where stage = 'fetch') as fetch, count(*) filter (where stage = 'run') as run
    from jobs where status = 'processing' and lease_token is not null`);
  return { fetch: Number(row?.fetch), run: Number(row?.run) };
}

/** Number of webhooks whose attempt is due, and how long the oldest has been due. */
export async function countDueWebhooks(
  db: Queryable,
): Promise<{ webhooks: number; oldestSeconds: number }> {
  const [row] = await db.execute<{ webhooks: string; oldest: string | null }>(sql`
    select count(*) as webhooks, extract(epoch from now() - min(next_attempt_at)) as oldest
    from webhook_deliveries where status = 'pending' and next_attempt_at <= now()`);
  return { webhooks: Number(row?.webhooks), oldestSeconds: Number(row?.oldest ?? 0) };
}

/** Which jobs wait for a runner. */
export interface DueJobs {
  /** The stages with jobs that could run now. */
  readonly stages: JobStage[];
  /** Seconds until the next delayed job can run; null if none is delayed. */
  readonly nextSeconds: number | null;
}

export async function readDueJobs(db: Queryable): Promise<DueJobs> {
  const unclaimed = sql`status in ${unfinishedList} and lease_token is null and stage = stages.stage`;
  // Only a job whose retry was delayed can be due later. Those have an index of their own. The order of
  // the first query makes PostgreSQL read an index, not the table.
  const rows = await db.execute<{ stage: JobStage; due: boolean; next: number | null }>(sql`
    select stage, (
        select true from jobs where ${unclaimed} and run_after <= now()
        order by account_id, plan, created_at limit 1
      ) is not null as due,
      extract(epoch from (
        select min(run_after) from jobs
        where ${unclaimed} and run_after > created_at and run_after > now()
      ) - now())::float8 as next
    from (values ${sql.join(
      jobStages.map((stage) => sql`(${stage})`),
      sql`, `,
    )}) as stages (stage)`);
  const delays = rows.flatMap(({ next }) => next ?? []);
  return {
    stages: rows.flatMap(({ stage, due }) => (due ? stage : [])),
    nextSeconds: delays.length > 0 ? Math.min(...delays) : null,
  };
}
