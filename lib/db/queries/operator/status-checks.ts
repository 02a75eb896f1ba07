import { and, desc, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type JobRow, jobs } from "../../schema/jobs.ts";
import type { CheckedEngine, CheckResult } from "../../schema/operator/checked-engines.ts";
import { type StatusCheck, statusChecks } from "../../schema/operator/status-checks.ts";
import { usage } from "../../schema/usage.ts";
import { usageDays } from "../../schema/usage-days.ts";

/** How long results of checks are kept. */
export const keptCheckDays = 90;

/**
 * Starts a run, unless one was started in the last `seconds` on any machine. Returns 0, or the seconds until
 * the next one is due.
 */
export async function takeStatusRun(db: Queryable, seconds: number): Promise<number> {
  const interval = sql`make_interval(secs => ${seconds}::float8)`;
  const [row] = await db.execute<{ taken: boolean; remaining: number | null }>(sql`
    with taken as (
      insert into status_runs (id, started_at) values (1, now())
      on conflict (id) do update set started_at = now() where status_runs.started_at <= now() - ${interval}
      returning id
    )
    select exists (select from taken) as taken,
      (select extract(epoch from started_at + ${interval} - now())::float8 from status_runs) as remaining`);
  // A run that another machine has just started is not visible here: null.
  return row?.taken ? 0 : Math.max(1, row?.remaining ?? seconds);
}

export async function insertStatusChecks(
  db: Queryable,
  checks: readonly Pick<StatusCheck, "id" | "engine">[],
): Promise<void> {
  if (checks.length > 0) await db.insert(statusChecks).values([...checks]);
}

/** A check without a result, and its job. */
export interface OpenCheck {
  readonly check: StatusCheck;
  /** The job of the check; null if the job was deleted or never accepted. */
  readonly job: JobRow | null;
  /** The seconds since the check was started. */
  readonly seconds: number;
}

export function listOpenChecks(db: Queryable): Promise<OpenCheck[]> {
  const seconds = sql<number>`extract(epoch from now() - ${statusChecks.checkedAt})::float8`;
  return db
    .select({ check: statusChecks, job: jobs, seconds })
    .from(statusChecks)
    .leftJoin(jobs, eq(jobs.id, statusChecks.id))
    .where(isNull(statusChecks.result));
}

/** Writes the result of a check and deletes its job, whose files must be deleted before. */
export async function endStatusCheck(
  tx: Queryable,
  id: string,
  ended: { result: CheckResult; durationMs: number | null; errorCode: string | null },
): Promise<void> {
  await tx
    .update(statusChecks)
    .set(ended)
    .where(and(eq(statusChecks.id, id), isNull(statusChecks.result)));
  await tx.delete(jobs).where(eq(jobs.id, id));
}

/** Deletes a check that has no result, and its job. */
export async function dropStatusCheck(tx: Queryable, id: string): Promise<void> {
  await tx.delete(statusChecks).where(and(eq(statusChecks.id, id), isNull(statusChecks.result)));
  await tx.delete(jobs).where(eq(jobs.id, id));
}

/** Deletes the counts of the system's account: its jobs are not usage. */
export async function deleteUsageOf(tx: Queryable, accountId: string): Promise<void> {
  await tx.delete(usage).where(and(eq(usage.accountId, accountId), eq(usage.reservedBytes, 0)));
  await tx.delete(usageDays).where(eq(usageDays.accountId, accountId));
}

export async function deleteOldStatusChecks(tx: Queryable): Promise<void> {
  await tx
    .delete(statusChecks)
    .where(lt(statusChecks.checkedAt, sql`now() - make_interval(days => ${keptCheckDays})`));
}

/** The last check of an engine that has a result. */
export async function findLastCheck(
  db: Queryable,
  engine: CheckedEngine,
): Promise<StatusCheck | undefined> {
  const rows = await db
    .select()
    .from(statusChecks)
    .where(and(eq(statusChecks.engine, engine), isNotNull(statusChecks.result)))
    .orderBy(desc(statusChecks.checkedAt))
    .limit(1);
  return rows[0];
}

/** Checks of one engine in one hour or day. */
export interface CheckCount {
  readonly engine: CheckedEngine;
  /** The start of the hour or day, UTC. */
  readonly start: Date;
  readonly checks: number;
  readonly slow: number;
  readonly failing: number;
}

/** The checks with a result since `from`, by engine and by hour or day. */
export async function countChecks(
  db: Queryable,
  unit: "hour" | "day",
  from: Date,
): Promise<CheckCount[]> {
  const rows = await db.execute<Record<string, string>>(sql`
    select engine, extract(epoch from date_trunc(${sql.raw(`'${unit}'`)}, checked_at, 'UTC')) as start,
      count(*) as checks, count(*) filter (where result = 'slow') as slow,
      count(*) filter (where result = 'failing') as failing
    from status_checks
    where result is not null and checked_at >= ${from.toISOString()}::timestamptz
    group by 1, 2`);
  return rows.map((row) => ({
    // The column has this type; a raw statement returns text.
    engine: row.engine as CheckedEngine,
    start: new Date(Number(row.start) * 1000),
    checks: Number(row.checks),
    slow: Number(row.slow),
    failing: Number(row.failing),
  }));
}

/** The failing checks that are kept, oldest first: at most `limit` of the newest. */
export async function listFailingChecks(db: Queryable, limit: number): Promise<StatusCheck[]> {
  const since = sql`now() - make_interval(days => ${keptCheckDays})`;
  const rows = await db
    .select()
    .from(statusChecks)
    .where(and(eq(statusChecks.result, "failing"), gt(statusChecks.checkedAt, since)))
    .orderBy(desc(statusChecks.checkedAt))
    .limit(limit);
  return rows.toReversed();
}
