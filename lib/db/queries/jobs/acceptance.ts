import { sql } from "drizzle-orm";
import { channels, notifyOfChange } from "../../channels.ts";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";
import { defineStatement, rowReader } from "../../statement.ts";
import { type RateWindow, remainingSeconds } from "../usage/rate-windows.ts";
import { fanOut, wakeIfFanned } from "../webhooks/fan-out.ts";

/** Why a job was not accepted. */
export type Rejection = "usage_limit_reached" | "staged_files_deleted" | "rate_limited";

/** The statement wrote nothing. */
export class RejectedError extends Error {
  override readonly name = "RejectedError";
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(`the job was not accepted: ${rejection}`);
    this.rejection = rejection;
  }
}

/** A job to accept, and what its acceptance requires. */
export interface Acceptance {
  readonly job: Pick<
    JobRow,
    | "id"
    | "accountId"
    | "operation"
    | "params"
    | "secrets"
    | "target"
    | "source"
    | "parts"
    | "input"
    | "metadata"
    | "webhookUrl"
    | "requestId"
    | "traceContext"
    | "apiKeyId"
    | "tokenId"
    | "maxFileBytes"
    | "plan"
    | "stage"
    | "reservedBytes"
    | "period"
  >;
  /** The plan's bytes per period; null is unlimited. */
  readonly monthlyBytes: number | null;
  /** The plan's job-creating requests per minute; null is unlimited. */
  readonly requestsPerMinute: number | null;
  /** Its files were staged, and must still be: the sweep discards what was staged long ago. */
  readonly hasStagedFiles: boolean;
  /** The payload that wakes the runners of the embedded queue. */
  readonly wakes: string | null;
}

/**
 * Reserves the bytes, inserts the job, and counts it and its request: one statement, so one round trip.
 * Each part reads from the one before, so that all writers lock the rows in the same order. With 0
 * bytes (the size is not known yet), some quota must be left. `abort_statement` undoes all of it.
 */
const accept = defineStatement<keyof Acceptance["job"] | keyof Omit<Acceptance, "job">>((value) => {
  const limit = sql`${value("monthlyBytes")}::bigint`;
  const requests = sql`${value("requestsPerMinute")}::int`;
  return sql`
    with reserved as (
      insert into usage (account_id, period, reserved_bytes, total_jobs)
      select ${value("accountId")}::text, ${value("period")}::text, new.bytes, 1
      from (select ${value("reservedBytes")}::bigint as bytes) as new
      where ${limit} is null or new.bytes <= ${limit}
      on conflict (account_id, period) do update
      set reserved_bytes = usage.reserved_bytes + excluded.reserved_bytes,
        total_jobs = usage.total_jobs + 1
      where ${limit} is null
        or usage.used_bytes + usage.reserved_bytes + greatest(excluded.reserved_bytes, 1) <= ${limit}
      returning account_id
    ), unstaged as (
      delete from staged_uploads
      where job_id = ${value("id")}::text and not discarded and exists (select from reserved)
      returning job_id
    ), job as (
      insert into jobs (id, account_id, operation, params, secrets, target, source, parts, input, metadata,
        webhook_url, request_id, trace_context, api_key_id, token_id, max_file_bytes, plan, stage, reserved_bytes,
        period)
      select ${value("id")}::text, account_id, ${value("operation")}::text, ${value("params")}::json,
        ${value("secrets")}::text, ${value("target")}::json,
        ${value("source")}::json, ${value("parts")}::json, ${value("input")}::json,
        ${value("metadata")}::json, ${value("webhookUrl")}::text, ${value("requestId")}::text,
        ${value("traceContext")}::json,
        ${value("apiKeyId")}::text, ${value("tokenId")}::text,
        ${value("maxFileBytes")}::bigint, ${value("plan")}::text, ${value("stage")}::text,
        ${value("reservedBytes")}::bigint, ${value("period")}::text
      from reserved
      where not ${value("hasStagedFiles")}::boolean or exists (select from unstaged)
      returning *
    ), counted as (
      insert into usage_days (account_id, operation, day, jobs)
      select account_id, operation, (created_at at time zone 'UTC')::date, 1 from job
      on conflict (account_id, day, operation) do update set jobs = usage_days.jobs + 1
      returning account_id, day
    ), grouped as (
      insert into usage_events (account_id, day, operation, key, outcome, jobs)
      select account_id, counted.day, job.operation, coalesce(job.api_key_id, ''), 'accepted', 1
      from counted join job using (account_id)
      returning account_id
    ), rated as (
      insert into rate_windows (account_id, started_at, count)
      select distinct account_id, now(), 1 from grouped where ${requests} is not null
      on conflict (account_id) do update
      set count = case when rate_windows.started_at <= now() - interval '60 seconds' then 1 else rate_windows.count + 1 end,
        started_at = case when rate_windows.started_at <= now() - interval '60 seconds' then now() else rate_windows.started_at end
      where rate_windows.started_at <= now() - interval '60 seconds' or rate_windows.count < ${requests}
      returning count, ${remainingSeconds} as remaining_seconds
    ), ${fanOut({ source: "job", event: sql`'job.created'` })}
    select job.*, rated.count as rate_count, rated.remaining_seconds as rate_remaining_seconds,
      ${notifyOfChange(sql`job`)}, ${wakeIfFanned},
      case when new.wakes is not null then pg_notify('${sql.raw(channels.workAvailable)}', new.wakes) end
    from (select ${value("wakes")}::text as wakes) as new
    left join job on true left join rated on true
    where case
      when not exists (select from reserved) then abort_statement('usage_limit_reached')
      when job.id is null then abort_statement('staged_files_deleted')
      when ${requests} is not null and rated.count is null then abort_statement('rate_limited')
      else true end`;
});

const readJob = rowReader(jobs);

/**
 * Accepts a job. Returns its row and, if the plan limits requests, the account's minute after this one.
 * Throws `RejectedError`; then, and after every other error, nothing is written.
 */
export async function acceptJobRow(
  db: Queryable,
  { job, ...limits }: Acceptance,
): Promise<{ readonly job: JobRow; readonly window: RateWindow | undefined }> {
  const statement = accept({
    ...job,
    params: JSON.stringify(job.params),
    source: JSON.stringify(job.source),
    parts: JSON.stringify(job.parts),
    input: JSON.stringify(job.input),
    metadata: JSON.stringify(job.metadata),
    target: job.target && JSON.stringify(job.target),
    traceContext: job.traceContext && JSON.stringify(job.traceContext),
    ...limits,
  });
  const [row] = await db.execute(statement).catch((error) => {
    throw rejectionOf(error) ?? error;
  });
  if (!row) throw new Error("the insert returned no job");
  const window =
    limits.requestsPerMinute === null
      ? undefined
      : { count: Number(row.rate_count), remainingSeconds: Number(row.rate_remaining_seconds) };
  return { job: readJob(row), window };
}

/** What `abort_statement` throws; see the migrations. */
const abortedCode = "MM001";

function rejectionOf(error: unknown): RejectedError | undefined {
  const { cause } = error instanceof Error ? error : {};
  if (!(cause instanceof Error) || !("code" in cause) || cause.code !== abortedCode)
    return undefined;
  // Only the statement above calls it.
  return new RejectedError(cause.message as Rejection);
}
