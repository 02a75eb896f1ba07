import { type DatabaseState, readDatabaseState } from "#lib/db/database-state.ts";
import type { RunnerKind } from "#lib/db/queries/jobs/runners.ts";
import { readStorageState, type StorageState } from "#lib/storage/storage-state.ts";
import type { Runner } from "./media-runner.ts";

/** Whether one runner can take work, and what it lacks. */
export interface RunnerReadiness {
  readonly status: "ready" | "unavailable";
  readonly database: DatabaseState;
  /** The state of the storage; absent for webhook runners, which use no files. */
  readonly storage?: StorageState;
  /**
   * The state of the runner: `starting` until it first takes work, `stopping` after the signal to
   * stop; `disconnected` from Inngest.
   */
  readonly runner: "ok" | "starting" | "disconnected" | "stopping";
}

/** The runner of this process, as far as it has started. */
export interface RunnerState {
  readonly kind: RunnerKind;
  readonly runner: Runner | undefined;
  readonly isReady: boolean;
  readonly isStopping: boolean;
}

/** What a runner answers at `/readyz` on `HEALTH_PORT`. */
export async function readRunnerReadiness(state: RunnerState): Promise<RunnerReadiness> {
  const [database, storage] = await Promise.all([
    readDatabaseState(),
    state.kind === "media" ? readStorageState() : undefined,
  ]);
  const runner = describeRunner(state);
  const isReady = database === "ok" && (storage ?? "ok") === "ok" && runner === "ok";
  return {
    status: isReady ? "ready" : "unavailable",
    database,
    ...(storage === undefined ? {} : { storage }),
    runner,
  };
}

function describeRunner({ runner, isReady, isStopping }: RunnerState): RunnerReadiness["runner"] {
  if (isStopping) return "stopping";
  if (!runner || !isReady) return "starting";
  return runner.isWorking() ? "ok" : "disconnected";
}
