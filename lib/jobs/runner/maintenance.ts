import { log } from "#lib/log.ts";
import { sweepStagedUploads } from "../accept/staged-uploads.ts";
import { recoverLostJobs, reenqueueWaiting, sweep } from "./sweep.ts";

/** How often the whole sweep runs if no queue schedules it. */
const sweepMs = 60_000;

/**
 * Repairs what was lost, every `intervalMs`: releases jobs whose runner vanished, enqueues work whose
 * message was lost, and deletes staged files without a job. Returns the function that stops it.
 */
export function startRecovery(intervalMs: number): () => void {
  return repeat("recovery", intervalMs, async () => {
    await recoverLostJobs();
    await reenqueueWaiting();
    await sweepStagedUploads();
  });
}

/** Runs the sweep every minute. Returns the function that stops it. */
export function startSweeping(): () => void {
  return repeat("sweep", sweepMs, sweep);
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
