import { eq, type SQL, sql } from "drizzle-orm";
import { type Plan, plans, runningVisitorJobs } from "#lib/plans.ts";
import { notifyOfChange } from "../../channels.ts";
import { type Queryable, runTogether } from "../../client.ts";
import type { JobStage } from "../../schema/job-states.ts";
import { type JobRow, jobs, unfinishedList } from "../../schema/jobs.ts";
import { defineStatement, rowReader } from "../../statement.ts";
import { fanOut, wakeIfFanned } from "../webhooks/fan-out.ts";

/** A `case` over plan names, with one value per plan. */
function byPlan(column: SQL, numberOf: (plan: Plan) => number | null): SQL {
  const cases = Object.values(plans).map((plan) =>
    sql.raw(`when '${plan.name}' then ${numberOf(plan)}`),
  );
  return sql`case ${column} ${sql.join(cases, sql` `)} end`;
}

const priority = byPlan(sql`oldest.plan`, (plan) => plan.priority);
/** The number of concurrent jobs by plan; null is unlimited. */
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

const waitsForIdleRunner = sql.raw(
  `waiting.runner_deaths between ${runnerDeathLimits.exclusive} and ${runnerDeathLimits.setAside - 1}`,
);

/** The condition of the index of waiting jobs. A job with a delayed retry is one of them. */
const unclaimed = sql`status in ${unfinishedList} and lease_token is null`;

/** How many jobs are tried if others hold the lock on the next one, to cancel it for example. */
const maxTriedJobs = 10;

/**
 * The next job to run: highest priority first (a job that has waited ten minutes has the highest, but not a
 * visitor's or a status check), then
 * the account with the fewest running jobs, then the account whose last turn is longest ago (without
 * this, a single slot would always serve the oldest backlog), then the oldest job. Accounts that
 * already run as many jobs as their plan allows are skipped, and visitors while `runningVisitorJobs` of theirs run.
 *
 * Only the oldest job of each account and plan can be next: among jobs that are equal in both, age alone
 * decides, and an older job never has a lower priority. So the accounts that wait are listed, one
 * index descent each, and only their oldest jobs are compared. The time does not grow with the jobs
 * of an account. `condition` is about the columns of `waiting`.
 */
const nextJob = (stage: SQL, condition: SQL) => sql`(
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
    select account_id, count(*) as jobs, count(*) filter (where plan = 'visitor') as visitor_jobs from jobs
    where status = 'processing' and lease_token is not null group by account_id
  ), next_jobs as (
    select oldest.id, row_number() over (order by
      case when oldest.created_at < now() - interval '10 minutes' and oldest.plan not in ('visitor', 'system') then 100
        else ${priority} end desc,
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
      and (accounts.plan <> 'visitor'
        or (select coalesce(sum(visitor_jobs), 0) from running) < ${sql.raw(String(runningVisitorJobs))})
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
  /** The operations whose jobs it leaves to other runners. By default none. */
  readonly left?: readonly string[];
}

/** A job that was claimed. */
export interface Claim {
  readonly job: JobRow;
  /** There may be another job for the stage. */
  readonly othersWait: boolean;
}

/**
 * Whether other jobs that meet `condition` wait for the same stage as `claimed`. The order makes
 * PostgreSQL read the index: with `exists`, it may search the whole table for the first one.
 */
const othersWait = (condition: SQL) => sql`(
  select true from jobs as other
  where other.status in ${unfinishedList} and other.lease_token is null and other.run_after <= now()
    and other.stage = claimed.stage and ${condition}
  order by other.account_id, other.plan, other.created_at limit 1
) is not null`;

/** The condition as two ranges of the index: `<>` would read all jobs of the account itself. */
const jobsOfOthersWait = sql`(${othersWait(sql`other.account_id < claimed.account_id`)}
  or ${othersWait(sql`other.account_id > claimed.account_id`)})`;

/** Whether a claim is the first one of its job: the statement has just set this time. */
const isFirstStart = sql`claimed.started_at = now()::timestamptz(3)`;

type ClaimValue = "stage" | "token" | "leaseSeconds" | "left";

/**
 * Whether the runner that leaves the operations in `left`, a JSON array, may run the job. Each runner may
 * fetch its files and export its outputs. The steps of a chain are in its parameters.
 */
const runnable = (left: SQL) => sql`(waiting.stage = 'fetch' or not exists (
  select from json_array_elements_text(${left}::text::json) as unable (operation)
  where waiting.operation = unable.operation or (waiting.operation = 'chain' and exists (
    select from json_array_elements(waiting.params->'operations') as step
    where step->>'type' = unable.operation))
))`;

/**
 * Claims the next job that meets `condition`, records its account's turn and notifies of the change.
 * Always returns a row: its job is null if none may start now. Turns only decide between accounts that
 * wait at the same time.
 */
function claiming(waitingCondition: SQL, leavesJobs: boolean) {
  return defineStatement<ClaimValue>((value) => {
    const allowed = leavesJobs ? runnable(value("left")) : sql`true`;
    const condition = sql`${waitingCondition} and ${allowed}`;
    const stage = sql`${value("stage")}::text`;
    // Not now(), the start of the transaction: a claim may have waited for the lock since then.
    const turn = sql`clock_timestamp()`;
    return sql`
      with exclusive as (
        select exists (
          select from jobs as waiting
          where ${unclaimed} and stage = ${stage} and run_after <= now() and ${waitsForIdleRunner} and ${allowed}
        ) as waits
      ), claimed as (
        update jobs set status = 'processing', lease_token = ${value("token")}::text,
          lease_expires_at = now() + make_interval(secs => ${value("leaseSeconds")}::float8),
          started_at = coalesce(started_at, now()),
          engine_started_at = case stage when 'run' then now() else engine_started_at end,
          -- Before the work starts, so that an input that kills its runner is not retried forever.
          attempts = attempts + 1,
          -- A job that waits may say that no runner has its engines.
          warnings = '[]'
        where id = ${nextJob(stage, condition)} and status in ${unfinishedList} and lease_token is null and run_after <= now()
        returning *
      ), turn as (
        insert into account_turns (account_id, stage, last_turn_at)
        select account_id, stage, ${turn} from claimed
        where ${jobsOfOthersWait}
        on conflict (account_id, stage) do update set last_turn_at = ${turn}
        returning account_id
      ), ${fanOut({ source: "claimed", event: sql`'job.started'`, condition: isFirstStart })}
      select claimed.*, exclusive.waits as exclusive_waits, ${othersWait(sql`other.id <> claimed.id`)} as others_wait,
        (select count(*) from turn), ${wakeIfFanned}, case when claimed.id is not null then ${notifyOfChange(sql`claimed`)} end
      from exclusive left join claimed on true`;
  });
}

/** An idle runner may take any job; a busy one none that must run exclusively. */
const whenIdle = sql`true`;
const whenBusy = sql`not ${waitsForIdleRunner}`;
const unlessExclusiveWaits = sql`not (select waits from exclusive)`;

/** The statements of a runner that takes each job, and of one that leaves some. */
const statements = (leavesJobs: boolean) => ({
  whenIdle: claiming(whenIdle, leavesJobs),
  whenBusy: claiming(whenBusy, leavesJobs),
  unlessExclusiveWaits: claiming(unlessExclusiveWaits, leavesJobs),
});
const claimsOfAll = statements(false);
const claimsOfSome = statements(true);

const claimsOf = ({ left = [] }: Claimant) => (left.length > 0 ? claimsOfSome : claimsOfAll);

const readJob = rowReader(jobs);

function readClaim(row: Record<string, unknown> | undefined): Claim | undefined {
  if (!row || row.id === null) return undefined;
  return { job: readJob(row), othersWait: row.others_wait === true };
}

/**
 * Claims the next job, in one round trip. Undefined if no job may start now. For a busy runner,
 * `exclusiveWaits` without a claim says that a job waits that must run exclusively: the runner decides
 * whether to drain for it before it claims another job.
 */
export async function claimNextJobNow(
  stage: JobStage,
  token: string,
  leaseSeconds: number,
  claimant: Claimant,
): Promise<{ readonly claim: Claim | undefined; readonly exclusiveWaits: boolean }> {
  const claim = claimsOf(claimant)[claimant.idle ? "whenIdle" : "unlessExclusiveWaits"];
  const left = JSON.stringify(claimant.left ?? []);
  const [, rows] = await runTogether([lockClaims, claim({ stage, token, leaseSeconds, left })]);
  const row = rows?.[0];
  return { claim: readClaim(row), exclusiveWaits: row?.exclusive_waits === true };
}

/** The same in the caller's transaction. A busy runner is given no job that must run exclusively. */
export async function claimNextJob(
  db: Queryable,
  stage: JobStage,
  token: string,
  leaseSeconds: number,
  claimant: Claimant,
): Promise<Claim | undefined> {
  await db.execute(lockClaims);
  const claim = claimsOf(claimant)[claimant.idle ? "whenIdle" : "whenBusy"];
  const left = JSON.stringify(claimant.left ?? []);
  const [row] = await db.execute(claim({ stage, token, leaseSeconds, left }));
  return readClaim(row);
}

/**
 * A busy runner calls this before it claims. If the next job must run exclusively and no other
 * runner drains for it, this runner drains for it: it claims nothing new for `seconds`. Returns
 * that job's id. `drainingFor` is the job for which this runner already drains.
 */
export async function drainForExclusiveJob(
  db: Queryable,
  stage: JobStage,
  drainingFor: string | undefined,
  seconds: number,
  left: readonly string[] = [],
): Promise<string | undefined> {
  await db.execute(lockClaims);
  const noOtherDrains = sql`(not ${waitsForIdleRunner} or waiting.runner_drains_until is null
    or waiting.runner_drains_until < now() or waiting.id = ${drainingFor ?? ""})`;
  const allowed =
    left.length > 0
      ? sql`${noOtherDrains} and ${runnable(sql`${JSON.stringify(left)}`)}`
      : noOtherDrains;
  const next = sql`(select id from jobs as waiting where id = ${nextJob(sql`${stage}`, allowed)} and ${waitsForIdleRunner})`;
  const rows = await db
    .update(jobs)
    .set({ runnerDrainsUntil: sql`now() + make_interval(secs => ${seconds})` })
    .where(eq(jobs.id, next))
    .returning({ id: jobs.id });
  return rows[0]?.id;
}
