import { type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";

/**
 * The partitions of the request log, `api_requests`:
 *
 * - one for each day, UTC, such as `api_requests_20261128`. Runners make them in advance, and drop them when all of
 *   their rows are old.
 * - `api_requests_default` for rows of any other time. So no insert fails, if no runner was there to make a day's
 *   partition, if a clock is wrong, or if the service is of a version that knows no partitions.
 * - `api_requests_before`, the table as it was before it had partitions. It goes with its last day.
 */

/** How long a request is kept. A day is dropped when its last request has been kept for so long. */
export const keptRequestDays = 7;

/** Partitions are made for today and so many days: as long as no runner may be there before rows have none of a day. */
const daysAhead = 3;

/** One process changes partitions at a time; the others skip their turn. */
const partitionsLock = 0x6d6d7270;

/**
 * How long a change waits for statements that use the table. Later ones wait for the change meanwhile. It is less than
 * PostgreSQL's `deadlock_timeout`, after which one of them would be canceled.
 */
const lockTimeout = "200ms";

/** The partitions with the bounds of their times; null if there is none. */
const partitions = sql`(
  select quote_ident(child.relname) as name,
    (regexp_match(bound, 'FROM \\(''([^'']+)''\\)'))[1]::timestamptz as starts_at,
    (regexp_match(bound, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz as ends_at
  from pg_inherits join pg_class as child on child.oid = inhrelid,
    lateral (select pg_get_expr(child.relpartbound, child.oid) as bound) as bounds
  where inhparent = 'api_requests'::regclass)`;

/** Until the transaction ends. False if another process has the lock. */
export async function lockRequestPartitions(tx: Queryable): Promise<boolean> {
  const [row] = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${partitionsLock}) as locked`,
  );
  return row?.locked === true;
}

/** The names of the partitions that are not of one day, whose rows are deleted one by one. */
export function listOpenPartitions(tx: Queryable): Promise<string[]> {
  return readNames(tx, sql`select name from ${partitions} as known where starts_at is null`);
}

/** The names of partitions that have only rows past their time. */
export function listOldPartitions(tx: Queryable): Promise<string[]> {
  return readNames(
    tx,
    sql`select name from ${partitions} as known
      where ends_at <= now() - make_interval(days => ${keptRequestDays}) order by ends_at`,
  );
}

/**
 * The next days without a partition, as `2026-11-28`. A day of which the default partition has rows already gets none:
 * they would have to be moved.
 */
export function listMissingDays(tx: Queryable): Promise<string[]> {
  return readNames(
    tx,
    sql`select to_char(day, 'YYYY-MM-DD') as name
      from date_trunc('day', now() at time zone 'UTC') as today,
        generate_series(today, today + make_interval(days => ${daysAhead}), '1 day') as day,
        lateral (select day at time zone 'UTC' as starts_at,
          (day + interval '1 day') at time zone 'UTC' as ends_at) as wanted
      where not exists (select from ${partitions} as known where known.ends_at > wanted.starts_at
          and coalesce(known.starts_at, '-infinity') < wanted.ends_at)
        and not exists (select from api_requests_default as other
          where other.created_at >= wanted.starts_at and other.created_at < wanted.ends_at)
        and to_regclass(to_char(day, '"api_requests_"YYYYMMDD')) is null`,
  );
}

/** Whether a day has no partition yet, or a partition has only rows past their time. */
export async function mustChangePartitions(tx: Queryable): Promise<boolean> {
  return (await listOldPartitions(tx)).length > 0 || (await listMissingDays(tx)).length > 0;
}

/** The partitions that `changeRequestPartitions` has made and dropped. */
export interface PartitionChanges {
  readonly days: readonly string[];
  readonly dropped: readonly string[];
}

/**
 * Makes the partitions of the next days and drops old ones, in the caller's transaction, for which it locks the table
 * if there is something to do. Undefined if another process does it. Throws if the table was not free in time.
 */
export async function changeRequestPartitions(
  tx: Queryable,
): Promise<PartitionChanges | undefined> {
  if (!(await lockRequestPartitions(tx))) return undefined;
  if (!(await mustChangePartitions(tx))) return { days: [], dropped: [] };
  const old = await listOldPartitions(tx);
  await tx.execute(sql.raw(`set local lock_timeout = '${lockTimeout}'`));
  await tx.execute(sql`lock table only api_requests in access exclusive mode`);
  // Again: a row of a missing day may have been inserted until now.
  const days = await listMissingDays(tx);
  for (const day of days) await tx.execute(createDay(day));
  // Not detached before: that would lock `accounts`, too.
  for (const name of old) await tx.execute(sql`drop table ${sql.raw(name)}`);
  return { days, dropped: old };
}

/** `day`: as `2026-11-28`. */
function createDay(day: string): SQL {
  const start = new Date(day);
  const end = new Date(start.getTime() + 86_400_000);
  const name = `api_requests_${day.replaceAll("-", "")}`;
  return sql.raw(`create table ${name} partition of api_requests
    for values from ('${start.toISOString()}') to ('${end.toISOString()}')`);
}

async function readNames(tx: Queryable, query: SQL): Promise<string[]> {
  const rows = await tx.execute<{ name: string }>(query);
  return rows.map(({ name }) => name);
}
