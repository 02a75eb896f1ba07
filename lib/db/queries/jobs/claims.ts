import { and, eq, type SQL, sql } from "drizzle-orm";
import { plans } from "#lib/plans.ts";
import type { Queryable } from "../../client.ts";
import { accountTurns } from "../../schema/account-turns.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";
import type { Lease } from "./leases.ts";

/** What a job waits for: a fetcher or an engine. */
type Stage = "fetch" | "run";

const claimed = (token: string, leaseSeconds: number) => ({
  status: "processing" as const,
  leaseToken: token,
  leaseExpiresAt: sql`now() + make_interval(secs => ${leaseSeconds})`,
  startedAt: sql`coalesce(${jobs.startedAt}, now())`,
  engineAt: sql`case when ${jobs.needsFetch} then ${jobs.engineAt} else now() end`,
  // Counted before the work starts, so that an input that kills its runner is not tried for ever.
  attempts: sql`${jobs.attempts} + 1`,
});

const free = sql`${jobs.status} in ('pending', 'processing') and ${jobs.leaseToken} is null and ${jobs.runAfter} <= now()`;

/** Jobs at once by plan, as a SQL value; null is unlimited. */
const jobsAtOnce = sql.join(
  Object.values(plans).map((plan) => sql`when ${plan.name} then ${plan.jobsAtOnce}::int`),
  sql` `,
);

/** Serialises claims: two at once would both see the last free place of an account. */
const claimLock = 0x6d6d636c;

/** From this many deaths of its runners on a job runs alone; at the other it is set aside, unrun. */
export const runnerDeathLimits = { alone: 2, setAside: 10 } as const;

/** Whether a job may be what killed its runners, so that no other should be at work beside it. */
export function mustRunAlone({ runnerDeaths }: Pick<JobRow, "runnerDeaths">): boolean {
  return runnerDeaths >= runnerDeathLimits.alone && runnerDeaths < runnerDeathLimits.setAside;
}

const mustWaitForIdle = sql`waiting.runner_deaths between ${runnerDeathLimits.alone} and ${runnerDeathLimits.setAside - 1}`;

/**
 * The job whose turn it is: highest priority first (ten minutes of waiting make it the highest), then
 * the account with the fewest running jobs, then the one whose last turn is longest ago, without which
 * a single place would go to the oldest queue for ever, then age. Accounts at their plan's number of
 * jobs at once are passed over.
 */
const nextJob = (stage: Stage, among: SQL) => sql`(
  with running as (
    select account_id, count(*) as jobs from jobs
    where status = 'processing' and lease_token is not null group by account_id
  )
  select waiting.id from jobs as waiting
  join accounts on accounts.id = waiting.account_id
  left join running on running.account_id = waiting.account_id
  left join account_turns as turns on turns.account_id = waiting.account_id and turns.stage = ${stage}
  where waiting.status in ('pending', 'processing') and waiting.lease_token is null and waiting.run_after <= now()
    and waiting.needs_fetch = ${stage === "fetch"}
    and coalesce(running.jobs, 0) < coalesce(case accounts.plan ${jobsAtOnce} end, 2147483647)
    and ${among}
  order by
    case when waiting.created_at < now() - interval '10 minutes' then 100 else waiting.priority end desc,
    coalesce(running.jobs, 0),
    turns.last_at nulls first,
    waiting.created_at,
    waiting.id
  limit 1
  for update of waiting skip locked
)`;

/** Whether the runner that claims has no other job at work. */
export interface Claimant {
  readonly idle: boolean;
}

/**
 * Takes the job whose turn it is, in a transaction of the caller's; one that must run alone only for
 * an idle runner. Undefined where no job may start now.
 */
export async function claimNextJob(
  db: Queryable,
  stage: Stage,
  token: string,
  leaseSeconds: number,
  { idle }: Claimant,
): Promise<JobRow | undefined> {
  await db.execute(sql`select pg_advisory_xact_lock(${claimLock})`);
  const rows = await db
    .update(jobs)
    .set(claimed(token, leaseSeconds))
    .where(and(eq(jobs.id, nextJob(stage, idle ? sql`true` : sql`not ${mustWaitForIdle}`)), free))
    .returning();
  const [job] = rows;
  if (job) await recordTurn(db, job.accountId, stage);
  return job;
}

async function recordTurn(db: Queryable, accountId: string, stage: Stage): Promise<void> {
  // Not the transaction's time: claims wait for each other after it has begun.
  const lastAt = sql`clock_timestamp()`;
  await db
    .insert(accountTurns)
    .values({ accountId, stage, lastAt })
    .onConflictDoUpdate({
      target: [accountTurns.accountId, accountTurns.stage],
      set: { lastAt },
    });
}

/**
 * For a busy runner, before it takes another job: where it is the turn of one that must run alone,
 * and no other runner is becoming idle for it, promises for `seconds` to take nothing until then.
 * Answers that job's id. `promised`: the job that this runner has already promised itself to.
 */
export async function awaitIdleness(
  db: Queryable,
  stage: Stage,
  promised: string | undefined,
  seconds: number,
): Promise<string | undefined> {
  await db.execute(sql`select pg_advisory_xact_lock(${claimLock})`);
  const notAnothers = sql`(not ${mustWaitForIdle} or waiting.idle_awaited_until is null
    or waiting.idle_awaited_until < now() or waiting.id = ${promised ?? ""})`;
  const next = sql`(select id from jobs as waiting where id = ${nextJob(stage, notAnothers)} and ${mustWaitForIdle})`;
  const rows = await db
    .update(jobs)
    .set({ idleAwaitedUntil: sql`now() + make_interval(secs => ${seconds})` })
    .where(eq(jobs.id, next))
    .returning({ id: jobs.id });
  return rows[0]?.id;
}

/** Takes one particular job, where the queue has decided whose turn it is, if it waits for `stage`. */
export async function claimJob(
  db: Queryable,
  lease: Lease,
  leaseSeconds: number,
  stage?: Stage,
): Promise<JobRow | undefined> {
  const waitsForIt = stage && eq(jobs.needsFetch, stage === "fetch");
  const rows = await db
    .update(jobs)
    .set(claimed(lease.token, leaseSeconds))
    .where(and(eq(jobs.id, lease.jobId), waitsForIt, free))
    .returning();
  return rows[0];
}
