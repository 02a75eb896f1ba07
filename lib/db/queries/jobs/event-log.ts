import { inArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import type { EventType } from "../../schema/event-types.ts";
import { type JobRow, jobs, unfinishedList } from "../../schema/jobs.ts";
import { defineStatement } from "../../statement.ts";

/**
 * The events of an account's jobs, read from the times in their rows: a job is created, started and
 * ended once each, so no other table is written.
 */

/** Progress is not logged: only its last value is stored. */
export type JobEventType = Exclude<EventType, "job.progress">;

/** The place of an event in the order of all events of an account. */
export interface EventPosition {
  /** The time in milliseconds since 1970, by the clock of the database. */
  readonly at: number;
  /** The order of events of one job at the same time: 0 is created, 1 is started, 2 is ended. */
  readonly rank: number;
  readonly jobId: string;
}

export interface JobEvent extends EventPosition {
  readonly type: JobEventType;
}

/**
 * Every transaction that is still running may write events with the time of its start. Events before
 * the oldest start are complete: none can be added. PostgreSQL reports a start a little later.
 */
const reportingMs = 100;

/** A transaction that takes longer, such as a back-up's, is not waited for. */
const longestTransactionSeconds = 30;

const readHorizon = defineStatement<never>(
  () => sql`
    select floor(extract(epoch from clock_timestamp()) * 1000) as now,
      floor(extract(epoch from greatest(
        least(clock_timestamp(), min(xact_start)) - make_interval(secs => ${reportingMs / 1000}::float8),
        clock_timestamp() - make_interval(secs => ${longestTransactionSeconds}::float8))) * 1000) as horizon
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
);

export interface EventHorizon {
  /** The clock of the database; milliseconds since 1970. */
  readonly now: number;
  /** No event before this time can be added any more. */
  readonly horizon: number;
}

/** Reads until when the events of all accounts are complete. */
export async function readEventHorizon(db: Queryable): Promise<EventHorizon> {
  const [row] = await db.execute(readHorizon({}));
  return { now: Number(row?.now), horizon: Number(row?.horizon) };
}

const list = defineStatement<"accountId" | "from" | "to" | "limit">((value) => {
  const account = sql`account_id = ${value("accountId")}::text`;
  const from = sql`${value("from")}::timestamptz`;
  const within = (column: string) =>
    sql`${sql.raw(column)} >= ${from} and ${sql.raw(column)} < ${value("to")}::timestamptz`;
  return sql`
    select type, rank, floor(extract(epoch from at) * 1000) as at, id from (
      select 'job.created' as type, 0 as rank, created_at as at, id
      from jobs where ${account} and ${within("created_at")}
      union all
      select 'job.started', 1, started_at, id
      from jobs where ${account} and ${within("started_at")} and status in ${unfinishedList}
      union all
      select 'job.started', 1, started_at, id
      from jobs where ${account} and ${within("started_at")} and completed_at >= ${from}
      union all
      select 'job.' || status, 2, completed_at, id
      from jobs where ${account} and ${within("completed_at")}
    ) as events order by at, rank, id limit ${value("limit")}::int`;
});

/** The account's events at or after `from` and before `to`, in order, at most `limit`. */
export async function listJobEvents(
  db: Queryable,
  accountId: string,
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
): Promise<JobEvent[]> {
  const rows = await db.execute(list({ accountId, limit, from: new Date(from), to: new Date(to) }));
  return rows.map(({ type, rank, at, id }) => ({
    // The statement writes no other type.
    type: type as JobEventType,
    rank: Number(rank),
    at: Number(at),
    jobId: String(id),
  }));
}

/** The jobs with these ids, which the caller knows to be of one account, by id. */
export async function findJobsById(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, JobRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(jobs)
    .where(inArray(jobs.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}
