import { log } from "#lib/log.ts";
import { usesInngest } from "#lib/queue/index.ts";
import { sweepStagedUploads } from "../accept/staged-uploads.ts";
import { releaseDeadRunners } from "./dead-runners.ts";
import { wakeIdleRunners } from "./idle-slots.ts";
import { recoverLostJobs, reenqueueWaiting, sweep } from "./sweep.ts";
import { sweepWaitingForEngines } from "./waiting-for-engines.ts";

/** How often the whole sweep runs. */
const sweepMs = 60_000;

/** How often runners look for dead ones whose slots Inngest keeps. */
const deadRunnersMs = 1000;

/** Staged uploads are swept every so many intervals of the recovery: once a minute. */
const recoveriesPerStagedSweep = 12;

/**
 * Repairs what was lost, until stopped: every `recoveryMs`, releases jobs whose runner vanished, marks those
 * that no runner can run, and under Inngest enqueues work whose message was lost. Less often, deletes staged files without a job.
 * Runs the whole sweep every minute. Under Inngest, frees the slots of dead runners every second.
 */
export function startMaintenance(recoveryMs: number): () => void {
  const stopRecovery = repeat("recovery", recoveryMs, async () => {
    await recoverLostJobs();
    await sweepWaitingForEngines();
    if (usesInngest) {
      await reenqueueWaiting();
      await wakeIdleRunners();
    }
  });
  // Not in the recovery, which would wait for a slow store.
  const stopStagedSweep = repeat(
    "sweep of staged uploads",
    recoveriesPerStagedSweep * recoveryMs,
    sweepStagedUploads,
  );
  const stopSweeping = repeat("sweep", sweepMs, sweep);
  const stopReleasing = usesInngest
    ? repeat("release of dead runners", deadRunnersMs, releaseDeadRunners)
    : () => {};
  return () => {
    stopReleasing();
    stopRecovery();
    stopStagedSweep();
    stopSweeping();
  };
}

/** Skips an interval while the previous call still runs. */
function repeat(task: string, intervalMs: number, work: () => Promise<void>): () => void {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    work()
      .catch((err) => log.warn({ err, task }, "maintenance failed; it runs again"))
      .finally(() => {
        running = false;
      });
  }, intervalMs);
  return () => clearInterval(timer);
}
