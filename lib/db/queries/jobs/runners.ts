import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type RunnerReport, runners } from "../../schema/runners.ts";

export type RunnerKind = (typeof runners.$inferSelect)["kind"];

/** Tells that the runner `id` is alive. */
export async function recordHeartbeat(
  db: Queryable,
  runner: { id: string; kind: RunnerKind; report: RunnerReport },
): Promise<void> {
  await db
    .insert(runners)
    .values(runner)
    .onConflictDoUpdate({
      target: runners.id,
      set: { seenAt: sql`now()`, report: runner.report },
    });
}

/** What the runners of `kind` say that gave a sign of life in the last `seconds`. */
export async function listLiveRunners(
  db: Queryable,
  kind: RunnerKind,
  seconds: number,
): Promise<RunnerReport[]> {
  const rows = await db
    .select({ report: runners.report })
    .from(runners)
    .where(
      and(
        eq(runners.kind, kind),
        gt(runners.seenAt, sql`now() - make_interval(secs => ${seconds})`),
      ),
    );
  return rows.map((row) => row.report);
}

/** Forgets a runner that stopped, and those that have been silent for a day. */
export async function removeRunner(db: Queryable, id: string): Promise<void> {
  await db.delete(runners).where(eq(runners.id, id));
  await db.delete(runners).where(lt(runners.seenAt, sql`now() - interval '1 day'`));
}
