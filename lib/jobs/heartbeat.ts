import { db } from "#lib/db/client.ts";
import {
  listLiveRunners,
  type RunnerKind,
  recordHeartbeat,
  removeRunner,
} from "#lib/db/queries/runners.ts";
import type { RunnerReport } from "#lib/db/schema/runners.ts";
import { createToken } from "#lib/ids.ts";
import { log } from "#lib/log.ts";

const intervalMs = 3000;

/** A runner silent for longer counts as gone. */
const aliveSeconds = 10;

/** Tells every few seconds that this runner is alive, until the returned function is called. */
export async function startHeartbeat(
  kind: RunnerKind,
  report: () => RunnerReport,
): Promise<() => Promise<void>> {
  const id = `${kind}-${createToken()}`;
  const beat = () => recordHeartbeat(db(), { id, kind, report: report() });
  await beat();
  const timer = setInterval(() => {
    beat().catch((err) => log.warn({ err }, "the heartbeat could not be written"));
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    await removeRunner(db(), id).catch((err) => log.warn({ err }, "the runner's row stays"));
  };
}

/** What the living media runners report. */
export function liveMediaRunners(): Promise<RunnerReport[]> {
  return listLiveRunners(db(), "media", aliveSeconds);
}
