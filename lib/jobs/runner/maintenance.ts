import { log } from "#lib/log.ts";
import { sweepStagedUploads } from "../accept/staged-uploads.ts";
import { announceWaiting, recoverLostJobs, sweep } from "./sweep.ts";

/** How often the whole sweep runs where no queue's clock calls it. */
const sweepMs = 60_000;

/**
 * Looks every `everyMs` after what was lost: jobs whose runner vanished, what the queue could not
 * be told, files of requests that made no job. Until the returned function is called.
 */
export function startRecovery(everyMs: number): () => void {
  return repeat(everyMs, async () => {
    await recoverLostJobs();
    await announceWaiting();
    await sweepStagedUploads();
  });
}

/** Runs the sweep every minute until the returned function is called. */
export function startSweeping(): () => void {
  return repeat(sweepMs, sweep);
}

/** One call at a time: a slow one is not joined by the next. */
function repeat(everyMs: number, work: () => Promise<void>): () => void {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    work()
      .catch((err) => log.warn({ err }, "upkeep failed; it is tried again"))
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  return () => clearInterval(timer);
}
