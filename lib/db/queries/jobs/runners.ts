import { and, count, eq, gt, lt, max, type SQL, sql } from "drizzle-orm";
import { channels } from "../../channels.ts";
import type { Queryable } from "../../client.ts";
import type { JobStage } from "../../schema/job-states.ts";
import { type RunnerQueueState, type RunnerReport, runners } from "../../schema/runners.ts";
import { defineStatement } from "../../statement.ts";

export type RunnerKind = (typeof runners.$inferSelect)["kind"];

/** A runner without a heartbeat for longer than this counts as dead. */
export const liveSeconds = 12;

/** Records a heartbeat of the runner `id`. */
export async function recordHeartbeat(
  db: Queryable,
  runner: { id: string; kind: RunnerKind; report: RunnerReport },
): Promise<void> {
  await db
    .insert(runners)
    .values(runner)
    .onConflictDoUpdate({
      target: runners.id,
      set: { lastHeartbeatAt: sql`now()`, report: runner.report },
    });
}

/** Where the runner `id` is among the live runners of its kind, by their ids: its rank, from 0, and their number. */
export async function findPlace(
  db: Queryable,
  runner: { id: string; kind: RunnerKind },
): Promise<{ readonly rank: number; readonly count: number }> {
  const rows = await db
    .select({
      count: count(),
      rank: sql<number>`(count(*) filter (where ${runners.id} < ${runner.id}::text))::int`,
    })
    .from(runners)
    .where(and(eq(runners.kind, runner.kind), hasHeartbeat(liveSeconds)));
  return rows[0] ?? { rank: 0, count: 1 };
}

/**
 * Whether a runner under Inngest holds its lock; see `lib/db/presence.ts`. Others have none. The lock's
 * key is the hash of the runner's id, in two halves.
 */
const isPresent = sql`(${runners.report}->'queue' is null or exists (
  select from pg_locks
  where locktype = 'advisory' and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())
    and (classid::int8 << 32 | objid::int8) = hashtextextended(${runners.id}, 0)
))`;

const isConnected = sql`coalesce((${runners.report}->'queue'->>'isConnected')::boolean, true)`;

const hasHeartbeat = (seconds: number) =>
  gt(runners.lastHeartbeatAt, sql`now() - make_interval(secs => ${seconds})`);

/** The reports of the runners of `kind` with a heartbeat in the last `seconds` that work can reach. */
export async function listLiveRunners(
  db: Queryable,
  kind: RunnerKind,
  seconds: number,
): Promise<RunnerReport[]> {
  const rows = await db
    .select({ report: runners.report })
    .from(runners)
    .where(and(eq(runners.kind, kind), hasHeartbeat(seconds), isConnected));
  return rows.map((row) => row.report);
}

/** A live runner that answers calls without a job; see `lib/calls`. */
export interface AnsweringRunner {
  readonly id: string;
  /** Version by engine; null if the engine does not work. */
  readonly engines: RunnerReport["engines"];
}

/** The live media runners that answer calls. */
export async function listAnsweringRunners(db: Queryable): Promise<AnsweringRunner[]> {
  const rows = await db
    .select({ id: runners.id, report: runners.report })
    .from(runners)
    .where(
      and(
        eq(runners.kind, "media"),
        hasHeartbeat(liveSeconds),
        sql`(${runners.report}->>'answersCalls')::boolean`,
      ),
    );
  return rows.map(({ id, report }) => ({ id, engines: report.engines }));
}

/** The last heartbeat of any runner of `kind`, also of those that are not live; undefined without one for a day. */
export async function findLastHeartbeat(
  db: Queryable,
  kind: RunnerKind,
): Promise<Date | undefined> {
  const [row] = await db
    .select({ at: max(runners.lastHeartbeatAt) })
    .from(runners)
    .where(eq(runners.kind, kind));
  return row?.at ?? undefined;
}

/** A number of a runner's report on its queue for a stage. */
const reported = (name: string, stage: SQL) =>
  sql`coalesce((${runners.report}->'queue'->${sql.raw(`'${name}'`)}->>${stage})::int, 0)`;

const countSlots = defineStatement<"stage" | "wakes">((value) => {
  const stage = sql`${value("stage")}::text`;
  const free = sql`greatest(${reported("slots", stage)} - ${reported("claimingRuns", stage)}, 0)`;
  // A runner that was killed still has a recent heartbeat.
  const waits = sql`${reported("waitingRuns", stage)} > 0 and ${isPresent}`;
  return sql`
    select case when waits then 0 else free end as slots,
      case when waits then pg_notify('${sql.raw(channels.workAvailable)}', ${value("wakes")}::text) end
    from (
      select sum(${free})::int as free, coalesce(bool_or(${waits}), false) as waits
      from ${runners} where ${runners.kind} = 'media' and ${hasHeartbeat(liveSeconds)}
    ) as seen`;
});

/**
 * How many slots of `stage` have no run under Inngest that claims again when its job ends. Zero also if a
 * run without a job waits for the notification `wakes`, which this sends. With zero, a job that is
 * committed needs no message. Infinite if no runner is alive.
 */
export async function countSlotsWithoutRun(
  db: Queryable,
  stage: JobStage,
  wakes: string,
): Promise<number> {
  const [row] = await db.execute<{ slots: number | null }>(countSlots({ stage, wakes }));
  return row?.slots ?? Number.POSITIVE_INFINITY;
}

/** A runner under Inngest that seems dead. */
export interface AbsentRunner {
  readonly id: string;
  readonly kind: RunnerKind;
  readonly queue: RunnerQueueState;
  /** It still had a heartbeat in the last `seconds`: perhaps it only lost its connection. */
  readonly hasHeartbeat: boolean;
}

/**
 * The runners under Inngest that do not hold their lock or have had no heartbeat for `seconds`. After a
 * restart of the database, runners have as long to take their locks again.
 */
export async function listAbsentRunners(db: Queryable, seconds: number): Promise<AbsentRunner[]> {
  const isStarted = sql`pg_postmaster_start_time() + make_interval(secs => ${seconds}) < now()`;
  const rows = await db
    .select({
      id: runners.id,
      kind: runners.kind,
      report: runners.report,
      hasHeartbeat: sql<boolean>`${hasHeartbeat(seconds)}`,
    })
    .from(runners)
    .where(
      sql`${runners.report}->'queue' is not null and ${isStarted}
        and (not ${isPresent} or not ${hasHeartbeat(seconds)})`,
    );
  return rows.flatMap(({ report, ...row }) =>
    report.queue ? { ...row, queue: report.queue } : [],
  );
}

/** Locks a runner's row for the caller's transaction. False if it is gone or another caller has it. */
export async function lockRunner(db: Queryable, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: runners.id })
    .from(runners)
    .where(eq(runners.id, id))
    .for("update", { skipLocked: true });
  return rows.length > 0;
}

/** Deletes a runner that stopped, and those without a heartbeat for a day. */
export async function removeRunner(db: Queryable, id: string): Promise<void> {
  await db.delete(runners).where(eq(runners.id, id));
  await db.delete(runners).where(lt(runners.lastHeartbeatAt, sql`now() - interval '1 day'`));
}
