import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type RunnerReport, runners } from "../../schema/runners.ts";

export type RunnerKind = (typeof runners.$inferSelect)["kind"];

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

/** The reports of the runners of `kind` with a heartbeat in the last `seconds`. */
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
        gt(runners.lastHeartbeatAt, sql`now() - make_interval(secs => ${seconds})`),
      ),
    );
  return rows.map((row) => row.report);
}

/** Deletes a runner that stopped, and those without a heartbeat for a day. */
export async function removeRunner(db: Queryable, id: string): Promise<void> {
  await db.delete(runners).where(eq(runners.id, id));
  await db.delete(runners).where(lt(runners.lastHeartbeatAt, sql`now() - interval '1 day'`));
}
