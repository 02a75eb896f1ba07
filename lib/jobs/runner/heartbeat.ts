import { db } from "#lib/db/client.ts";
import {
  listLiveRunners,
  type RunnerKind,
  recordHeartbeat,
  removeRunner,
} from "#lib/db/queries/jobs/runners.ts";
import type { RunnerReport } from "#lib/db/schema/runners.ts";
import { createToken } from "#lib/ids.ts";
import { log } from "#lib/log.ts";

const intervalMs = 5000;

/** A runner without a heartbeat for longer than this counts as dead. */
const liveSeconds = 12;

/**
 * Records a heartbeat of this runner every few seconds. Returns the function that stops it. While
 * `report` returns null, because no work can reach the runner, no heartbeat is recorded.
 */
export async function startHeartbeat(
  kind: RunnerKind,
  report: () => RunnerReport | null,
): Promise<() => Promise<void>> {
  const id = `${kind}-${createToken()}`;
  const beat = async () => {
    const current = report();
    if (current) await recordHeartbeat(db(), { id, kind, report: current });
  };
  await beat();
  const timer = setInterval(() => {
    beat().catch((err) => log.warn({ err, runner: id }, "heartbeat failed"));
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    await removeRunner(db(), id).catch((err) =>
      log.warn({ err, runner: id }, "runner record not removed"),
    );
  };
}

/** The reports of the live runners of `kind`. */
export function liveRunners(kind: RunnerKind): Promise<RunnerReport[]> {
  return listLiveRunners(db(), kind, liveSeconds);
}

/** The reports of the live media runners. */
export function liveMediaRunners(): Promise<RunnerReport[]> {
  return liveRunners("media");
}
