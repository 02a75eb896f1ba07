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

const intervalMs = 3000;

/** A runner silent for longer counts as gone. */
const aliveSeconds = 10;

/**
 * Tells every few seconds that this runner is alive, until the returned function is called. Where
 * `report` has nothing to tell, because no work reaches the runner, it stays silent.
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
    beat().catch((err) => log.warn({ err }, "the heartbeat could not be written"));
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    await removeRunner(db(), id).catch((err) => log.warn({ err }, "the runner's row stays"));
  };
}

/** What the living runners of `kind` report. */
export function liveRunners(kind: RunnerKind): Promise<RunnerReport[]> {
  return listLiveRunners(db(), kind, aliveSeconds);
}

/** What the living media runners report. */
export function liveMediaRunners(): Promise<RunnerReport[]> {
  return liveRunners("media");
}
