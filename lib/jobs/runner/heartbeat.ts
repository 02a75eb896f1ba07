import { db } from "#lib/db/client.ts";
import { holdPresence } from "#lib/db/presence.ts";
import {
  findPlace,
  listLiveRunners,
  liveSeconds,
  type RunnerKind,
  recordHeartbeat,
  removeRunner,
} from "#lib/db/queries/jobs/runners.ts";
import type { RunnerReport } from "#lib/db/schema/runners.ts";
import { createToken } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { usesInngest } from "#lib/queue/index.ts";
import type { Place } from "./turns.ts";

const intervalMs = 5000;

export interface Heartbeat {
  /** The id of this runner. */
  readonly id: string;
  /**
   * Records the current report now, and resolves when it is written or the write has failed. Calls
   * during a write are answered by one further write.
   */
  beat(): Promise<void>;
  /** Where this runner was among the live ones at its last heartbeat, if they share the jobs among themselves. */
  place(): Place | undefined;
  stop(): Promise<void>;
}

/**
 * Records a heartbeat of this runner every few seconds. Under Inngest, the runner also holds a lock that
 * shows at once when it dies.
 */
export async function startHeartbeat(
  kind: RunnerKind,
  report: () => RunnerReport,
): Promise<Heartbeat> {
  const id = `${kind}-${createToken()}`;
  const leave = usesInngest ? holdPresence(id) : async () => {};
  let place: Place | undefined;
  const record = async () => {
    await recordHeartbeat(db(), { id, kind, report: report() });
    // Inngest gives each job to one runner by itself.
    if (kind === "media" && !usesInngest) place = await findPlace(db(), { id, kind });
  };
  let last: Promise<void> = record();
  let next: Promise<void> | undefined;
  let isStopped = false;
  await last;
  const beat = (): Promise<void> => {
    if (isStopped) return last;
    next ??= last
      .then(() => {
        next = undefined;
        return record();
      })
      .catch((err) => log.warn({ err, runner: id }, "heartbeat failed"));
    last = next;
    return last;
  };
  const timer = setInterval(() => void beat(), intervalMs);
  return {
    id,
    beat,
    place: () => place,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await last;
      await removeRunner(db(), id).catch((err) =>
        log.warn({ err, runner: id }, "runner record not removed"),
      );
      await leave();
    },
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
