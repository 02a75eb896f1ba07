import { log } from "#lib/log.ts";
import { usesInngest } from "#lib/queue/index.ts";
import { sweepStagedUploads } from "../accept/staged-uploads.ts";
import { recoverLostJobs, reenqueueWaiting, sweep } from "./sweep.ts";

/** How often the whole sweep runs. */
const sweepMs = 60_000;

/** Staged uploads are swept in every so many recoveries. */
const recoveriesPerStagedSweep = 6;

/**
 * Repairs what was lost, until stopped: every `recoveryMs`, releases jobs whose runner vanished, and
 * under Inngest enqueues work whose message was lost. Less often, deletes staged files without a job.
 * Runs the whole sweep every minute.
 */
export function startMaintenance(recoveryMs: number): () => void {
  let recoveries = 0;
  const stopRecovery = repeat("recovery", recoveryMs, async () => {
    await recoverLostJobs();
    if (usesInngest) await reenqueueWaiting();
    if (++recoveries % recoveriesPerStagedSweep === 0) await sweepStagedUploads();
  });
  const stopSweeping = repeat("sweep", sweepMs, sweep);
  return () => {
    stopRecovery();
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
