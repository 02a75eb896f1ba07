import { db, transaction } from "#lib/db/client.ts";
import { markDueDeliveriesLost } from "#lib/db/queries/jobs/enqueueing.ts";
import {
  type AbsentRunner,
  listAbsentRunners,
  liveSeconds,
  lockRunner,
  removeRunner,
} from "#lib/db/queries/jobs/runners.ts";
import { jobStages } from "#lib/db/schema/job-states.ts";
import type { RunnerQueueState, SlotKind } from "#lib/db/schema/runners.ts";
import { log } from "#lib/log.ts";
import { queue, usesInngest } from "#lib/queue/index.ts";
import { liveRunners } from "./heartbeat.ts";
import { wakeRunners } from "./sweep.ts";

/** The runners that were absent at the last check. One check may fall into a reconnect. */
let absentBefore = new Set<string>();

/**
 * Ends the runs of runners that vanished, so that Inngest frees their slots. It would keep them for two
 * minutes, and count them against the slots of the other runners. Ending the run of a runner that lives
 * after all does no harm: its job goes on, and the lease decides who may write.
 */
export async function releaseDeadRunners(): Promise<void> {
  const absent = await listAbsentRunners(db(), liveSeconds);
  const dead = absent.filter(({ id, hasHeartbeat }) => !hasHeartbeat || absentBefore.has(id));
  absentBefore = new Set(absent.map(({ id }) => id));
  for (const runner of dead) await releaseDeadRunner(runner);
}

async function releaseDeadRunner({ id, kind, queue: state }: AbsentRunner): Promise<void> {
  const opened = await queue();
  const runs = Object.values(state.openRuns).flat();
  const isReleased = await transaction(async (tx) => {
    if (!(await lockRunner(tx, id))) return false;
    // Before its jobs are enqueued again: they would wait for the slots that it holds.
    if (!(await opened.endRuns(runs))) return false;
    if (kind === "webhooks") await markDueDeliveriesLost(tx);
    await removeRunner(tx, id);
    return true;
  });
  if (!isReleased) return;
  log.warn({ runner: id, open_runs: runs.length }, "runner vanished, its runs were ended");
  // A run may have ended before it claimed the job that it was started for.
  for (const stage of jobStages) {
    await wakeRunners(stage, { seconds: 0, limit: countRuns(state, stage) });
  }
}

const countRuns = ({ openRuns }: RunnerQueueState, kind: SlotKind) => openRuns[kind]?.length ?? 0;

/** Slots of one kind, over all runners under Inngest. */
export interface SlotCounts {
  /** The number of live runners. */
  readonly live: number;
  /** Runs of runners that vanished, which still use as many slots. */
  readonly heldByDead: number;
}

/** The slots for `kind`. Zero under the embedded queue, which cannot lose a slot. */
export async function countSlots(kind: SlotKind): Promise<SlotCounts> {
  if (!usesInngest) return { live: 0, heldByDead: 0 };
  const runners = await liveRunners(kind === "delivery" ? "webhooks" : "media");
  const absent = await listAbsentRunners(db(), liveSeconds);
  const heldByDead = absent.reduce((sum, runner) => sum + countRuns(runner.queue, kind), 0);
  const live = runners.reduce((sum, runner) => sum + (runner.queue?.slots[kind] ?? 0), 0);
  const lost = absent.filter((runner) => runner.hasHeartbeat && runner.queue.isConnected);
  const slotsOfLost = lost.reduce((sum, runner) => sum + (runner.queue.slots[kind] ?? 0), 0);
  return { live: live - slotsOfLost, heldByDead };
}
