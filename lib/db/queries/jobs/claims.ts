import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Plan, plans } from "#lib/plans.ts";
import type { Queryable } from "../../client.ts";
import { accountTurns } from "../../schema/account-turns.ts";
import type { JobStage } from "../../schema/job-states.ts";
import { type JobRow, jobs, unfinishedList } from "../../schema/jobs.ts";
import type { Lease } from "./leases.ts";

const claimed = (token: string, leaseSeconds: number) => ({
  status: "processing" as const,
  leaseToken: token,
  leaseExpiresAt: sql`now() + make_interval(secs => ${leaseSeconds})`,
  startedAt: sql`coalesce(${jobs.startedAt}, now())`,
  engineStartedAt: sql`case ${jobs.stage} when 'run' then now() else ${jobs.engineStartedAt} end`,
  // Counted before the work starts, so that an input that kills its runner is not retried forever.
  attempts: sql`${jobs.attempts} + 1`,
});

const claimable = sql`${jobs.status} in ${unfinishedList} and ${jobs.leaseToken} is null and ${jobs.runAfter} <= now()`;

/** A `case` over plan names, with one value per plan. */
function byPlan(column: SQL, numberOf: (plan: Plan) => number | null): SQL {
  const cases = Object.values(plans).map(
    (plan) => sql`when ${plan.name} then ${numberOf(plan)}::int`,
  );
  return sql`case ${column} ${sql.join(cases, sql` `)} end`;
}

const priority = byPlan(sql`oldest.plan`, (plan) => plan.priority);
/** Null is unlimited. */
const concurrentJobs = byPlan(sql`accounts.plan`, (plan) => plan.concurrentJobs);

/** Serializes claims. Two concurrent claims would both take the last free slot of an account. */
const claimLock = 0x6d6d636c;
const lockClaims = sql.raw(`select pg_advisory_xact_lock(${claimLock})`);

/**
 * From `exclusive` runner deaths on, a job runs with no other job on the same runner. At `setAside`
 * it fails without running.
 */
export const runnerDeathLimits = { exclusive: 2, setAside: 10 } as const;

/** Whether the job may be the cause of its runners' deaths, so that no other job may run next to it. */
export function mustRunExclusively({ runnerDeaths }: Pick<JobRow, "runnerDeaths">): boolean {
  return runnerDeaths >= runnerDeathLimits.exclusive && runnerDeaths < runnerDeathLimits.setAside;
}

const waitsForIdleRunner = sql`waiting.runner_deaths between ${runnerDeathLimits.exclusive} and ${runnerDeathLimits.setAside - 1}`;

/** The condition of the index of waiting jobs. A job with a delayed retry is one of them. */
const unclaimed = sql`status in ${unfinishedList} and lease_token is null`;

/** How many jobs are tried if others hold the lock on the next one, to cancel it for example. */
const maxTriedJobs = 10;

/**
 * The next job to run: highest priority first (a job that has waited ten minutes has the highest), then
 * the account with the fewest running jobs, then the account whose last turn is longest ago (without
 * this, a single slot would always serve the oldest backlog), then the oldest job. Accounts that
 * already run as many jobs as their plan allows are skipped.
 *
 * Only the oldest job of each account and plan can be next: among jobs that are equal in both, age alone
 * decides, and an older job never has a lower priority. So the accounts that wait are listed, one
 * index descent each, and only their oldest jobs are compared. The time does not grow with the jobs
 * of an account. `condition` is about the columns of `waiting`.
 */
const nextJob = (stage: JobStage, condition: SQL) => sql`(
  with recursive waiting_groups as (
    (
      select account_id, plan from jobs where ${unclaimed} and stage = ${stage}
      order by account_id, plan limit 1
    )
    union all
    select following.account_id, following.plan from waiting_groups as former cross join lateral (
      select account_id, plan from jobs
      where ${unclaimed} and stage = ${stage} and (account_id, plan) > (former.account_id, former.plan)
      order by account_id, plan limit 1
    ) as following
  ), running as (
    select account_id, count(*) as jobs from jobs
    where status = 'processing' and lease_token is not null group by account_id
  ), next_jobs as (
    select oldest.id, row_number() over (order by
      case when oldest.created_at < now() - interval '10 minutes' then 100 else ${priority} end desc,
      coalesce(running.jobs, 0),
      turns.last_turn_at nulls first,
      oldest.created_at,
      oldest.id
    ) as position
    from waiting_groups
    join accounts on accounts.id = waiting_groups.account_id
    left join running on running.account_id = waiting_groups.account_id
    left join account_turns as turns
      on turns.account_id = waiting_groups.account_id and turns.stage = ${stage}
    cross join lateral (
      select id, plan, created_at from jobs as waiting
      where ${unclaimed} and stage = ${stage} and run_after <= now()
        and account_id = waiting_groups.account_id and plan = waiting_groups.plan and ${condition}
      order by created_at, id limit ${maxTriedJobs}
    ) as oldest
    where coalesce(running.jobs, 0) < coalesce(${concurrentJobs}, 2147483647)
    order by position limit ${maxTriedJobs}
  )
  select waiting.id from next_jobs join jobs as waiting on waiting.id = next_jobs.id
  order by next_jobs.position limit 1
  for update of waiting skip locked
)`;

/** The runner that claims. */
export interface Claimant {
  /** Whether it runs no other job. */
  readonly idle: boolean;
}

/**
 * Whether other jobs that meet `condition` wait for the same stage as the row of `jobs`. As text,
 * because in `returning` the query builder writes columns without their table. The order makes
 * PostgreSQL read the index: with `exists`, it may search the whole table for the first one.
 */
const othersWait = (condition: SQL) => sql<boolean>`(
  select true from jobs as other
  where other.status in ${unfinishedList} and other.lease_token is null and other.run_after <= now()
    and other.stage = jobs.stage and ${condition}
  order by other.account_id, other.plan, other.created_at limit 1
) is not null`;

/** As two ranges of the index: `<>` would read all jobs of the account itself. */
const jobsOfOthersWait = sql<boolean>`(${othersWait(sql`other.account_id < jobs.account_id`)}
  or ${othersWait(sql`other.account_id > jobs.account_id`)})`;

/**
 * Claims the next job, in the caller's transaction. A job that must run exclusively is claimed only
 * for an idle runner. Undefined if no job may start now. `othersWait`: there may be another one.
 */
export async function claimNextJob(
  db: Queryable,
  stage: JobStage,
  token: string,
  leaseSeconds: number,
  { idle }: Claimant,
): Promise<{ readonly job: JobRow; readonly othersWait: boolean } | undefined> {
  await db.execute(lockClaims);
  const next = nextJob(stage, idle ? sql`true` : sql`not ${waitsForIdleRunner}`);
  const [row] = await db
    .update(jobs)
    .set(claimed(token, leaseSeconds))
    .where(and(eq(jobs.id, next), claimable))
    .returning({
      ...getTableColumns(jobs),
      othersWait: othersWait(sql`other.id <> jobs.id`),
      otherAccountsWait: jobsOfOthersWait,
    });
  if (!row) return undefined;
  const { othersWait: hasOthers, otherAccountsWait, ...job } = row;
  // Turns only decide between accounts that wait at the same time.
  if (otherAccountsWait) await recordTurn(db, job.accountId, stage);
  return { job, othersWait: hasOthers };
}

async function recordTurn(db: Queryable, accountId: string, stage: JobStage): Promise<void> {
  // Not now(), the start of the transaction: a claim may have waited for the lock since then.
  const lastTurnAt = sql`clock_timestamp()`;
  await db
    .insert(accountTurns)
    .values({ accountId, stage, lastTurnAt })
    .onConflictDoUpdate({
      target: [accountTurns.accountId, accountTurns.stage],
      set: { lastTurnAt },
    });
}

/**
 * Called by a busy runner before it claims. If the next job must run exclusively and no other runner
 * drains for it, this runner drains for it: it claims nothing new for `seconds`. Returns that job's
 * id. `drainingFor` is the job for which this runner already drains.
 */
export async function drainForExclusiveJob(
  db: Queryable,
  stage: JobStage,
  drainingFor: string | undefined,
  seconds: number,
): Promise<string | undefined> {
  await db.execute(lockClaims);
  const noOtherDrains = sql`(not ${waitsForIdleRunner} or waiting.runner_drains_until is null
    or waiting.runner_drains_until < now() or waiting.id = ${drainingFor ?? ""})`;
  const next = sql`(select id from jobs as waiting where id = ${nextJob(stage, noOtherDrains)} and ${waitsForIdleRunner})`;
  const rows = await db
    .update(jobs)
    .set({ runnerDrainsUntil: sql`now() + make_interval(secs => ${seconds})` })
    .where(eq(jobs.id, next))
    .returning({ id: jobs.id });
  return rows[0]?.id;
}

/** Claims one particular job if it waits for `stage`. For Inngest, which decides the order itself. */
export async function claimJob(
  db: Queryable,
  lease: Lease,
  leaseSeconds: number,
  stage: JobStage,
): Promise<JobRow | undefined> {
  const rows = await db
    .update(jobs)
    .set(claimed(lease.token, leaseSeconds))
    .where(and(eq(jobs.id, lease.jobId), eq(jobs.stage, stage), claimable))
    .returning();
  return rows[0];
}
