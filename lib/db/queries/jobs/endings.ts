import { type SQL, sql } from "drizzle-orm";
import { type PlanName, plans } from "#lib/plans.ts";
import { channels, notifyOfChange } from "../../channels.ts";
import type { Queryable } from "../../client.ts";
import type { FinalStatus } from "../../schema/job-states.ts";
import { type JobRow, jobs, unfinishedList } from "../../schema/jobs.ts";
import { defineStatement, rowReader } from "../../statement.ts";
import { bucketOf } from "../usage/duration-buckets.ts";
import { fanOut, wakeIfFanned } from "../webhooks/fan-out.ts";
import type { Lease } from "./leases.ts";

/** Jobs on their plan's limit: another job of the account may start when one ends. */
const limitedPlans = sql.raw(
  `(${Object.values(plans)
    .filter(({ concurrentJobs }) => concurrentJobs !== null)
    .map(({ name }) => `'${name}'`)
    .join(", ")})`,
);

/**
 * A statement that ends the job that `update` returns: it also replaces the job's reservation with what
 * the job used, counts the job in its day, adds it to the jobs that its groups will count, writes the event for the
 * account's endpoints, and notifies all who wait. Each part reads from the one before, so that all writers lock the
 * rows in the same order.
 */
function ending(update: SQL, usedBytes: SQL, alsoNotify: SQL = sql`null`): SQL {
  return sql`
    with ended as (${update}), charged as (
      update usage
      set reserved_bytes = usage.reserved_bytes - ended.reserved_bytes,
        used_bytes = usage.used_bytes + ${usedBytes}
      from ended where usage.account_id = ended.account_id and usage.period = ended.period
      returning usage.account_id
    ), counted as (
      update usage_days
      set completed = completed + (ended.status = 'completed')::int,
        failed = failed + (ended.status = 'failed')::int,
        cancelled = cancelled + (ended.status = 'cancelled')::int,
        used_bytes = used_bytes + ${usedBytes}
      from ended where exists (select from charged) and usage_days.account_id = ended.account_id
        and day = (ended.created_at at time zone 'UTC')::date and usage_days.operation = ended.operation
      returning usage_days.account_id, day
    ), grouped as (
      insert into usage_events (account_id, day, operation, key, outcome, jobs, used_bytes, bucket)
      select account_id, counted.day, ended.operation, coalesce(ended.api_key_id, ''),
        case ended.status when 'failed' then coalesce(ended.error_code, 'internal') else ended.status end,
        1, ${usedBytes}, ${duration}
      from counted join ended using (account_id)
      returning account_id
    ), ${fanOut({ source: "ended", event: sql`'job.' || ended.status` })}
    select ended.*, (select count(*) from grouped), ${wakeIfFanned}, ${alsoNotify}, ${notifyOfChange(sql`ended`)},
      case when ended.plan in ${limitedPlans} then pg_notify('${sql.raw(channels.workAvailable)}', 'job 0') end
    from ended`;
}

const duration = bucketOf(sql`ended.completed_at - ended.created_at`);

/**
 * When a job ends that is ended now. Not before its start: a cancellation that has waited for the claim of its job began
 * earlier than that.
 */
const endTime = sql.raw("greatest(now(), started_at)");

/** When the files of a job that ends now expire, by the plan that its account has now. */
const expiry = (hoursByPlan: SQL) =>
  sql`now() + interval '1 hour' * (${hoursByPlan}::json ->> (select plan from accounts where id = jobs.account_id))::float8`;

const finish = defineStatement<
  | "id"
  | "token"
  | "status"
  | "outputs"
  | "result"
  | "warnings"
  | "networkBytes"
  | "steps"
  | "error"
  | "errorCode"
  | "engineStartedAt"
  | "engineEndedAt"
  | "retentionHours"
  | "usedBytes"
>((value) =>
  ending(
    sql`update jobs set status = ${value("status")}::text,
        progress = case when ${value("status")}::text = 'completed' then 100 else progress end,
        outputs = ${value("outputs")}::json, result = ${value("result")}::json,
        warnings = ${value("warnings")}::json, network_bytes = ${value("networkBytes")}::bigint, steps = ${value("steps")}::json,
        error = ${value("error")}::text, error_code = ${value("errorCode")}::text,
        engine_started_at = coalesce(${value("engineStartedAt")}::timestamptz, engine_started_at),
        engine_ended_at = coalesce(${value("engineEndedAt")}::timestamptz, engine_ended_at),
        expires_at = ${expiry(value("retentionHours"))},
        secrets = null, unexported = null, lease_token = null, lease_expires_at = null, completed_at = ${endTime}
      where id = ${value("id")}::text and lease_token = ${value("token")}::text and status = 'processing'
      returning *`,
    sql`${value("usedBytes")}::bigint`,
  ),
);

const cancel = defineStatement<"id" | "accountId" | "retentionHours">((value) =>
  ending(
    sql`update jobs set status = 'cancelled', secrets = null, lease_token = null, lease_expires_at = null,
        completed_at = ${endTime}, expires_at = ${expiry(value("retentionHours"))}
      where id = ${value("id")}::text and account_id = ${value("accountId")}::text and status in ${unfinishedList}
      returning *`,
    sql`0::bigint`,
    sql`pg_notify('${sql.raw(channels.jobCancelled)}', ended.id)`,
  ),
);

const readJob = rowReader(jobs);

/** How many hours files are kept after a job's end, by plan. */
export type RetentionHours = Readonly<Record<PlanName, number>>;

export type FinalState = Pick<JobRow, "outputs" | "result" | "warnings" | "error" | "errorCode"> & {
  readonly status: FinalStatus;
  /** What the files of a completed job loaded from the network; see the column. */
  readonly networkBytes?: number;
  /** The steps of a completed chain. */
  readonly steps?: JobRow["steps"];
  /** When the engine started, by the runner's clock; absent if the claim was the start. */
  readonly engineStartedAt?: Date;
  /** When the engine ended, by the runner's clock. */
  readonly engineEndedAt?: Date;
};

/**
 * Ends a job that is held under a lease, and charges `usedBytes`. Undefined, and nothing is changed, if
 * the job has already ended or the lease was lost.
 */
export async function finishJob(
  db: Queryable,
  { jobId: id, token }: Lease,
  state: FinalState,
  usedBytes: number,
  retentionHours: RetentionHours,
): Promise<JobRow | undefined> {
  const { status, outputs, result, warnings, steps = null, error, errorCode } = state;
  const { networkBytes = 0 } = state;
  const { engineStartedAt = null, engineEndedAt = null } = state;
  const statement = finish({
    id,
    token,
    status,
    error,
    errorCode,
    engineStartedAt,
    engineEndedAt,
    usedBytes,
    networkBytes,
    outputs: JSON.stringify(outputs),
    result: result && JSON.stringify(result),
    warnings: JSON.stringify(warnings),
    steps: steps && JSON.stringify(steps),
    retentionHours: JSON.stringify(retentionHours),
  });
  const [row] = await db.execute(statement);
  return row && readJob(row);
}

/** Cancels a job that has not ended. Undefined if it has ended or the account has no such job. */
export async function cancelJobRow(
  db: Queryable,
  accountId: string,
  id: string,
  retentionHours: RetentionHours,
): Promise<JobRow | undefined> {
  const hours = JSON.stringify(retentionHours);
  const [row] = await db.execute(cancel({ id, accountId, retentionHours: hours }));
  return row && readJob(row);
}
