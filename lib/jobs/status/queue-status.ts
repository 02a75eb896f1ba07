import { db } from "#lib/db/client.ts";
import { countDueWebhooks, countWaitingJobs } from "#lib/db/queries/jobs/queue-state.ts";

/** How long work waits now. Has no counts, which are the operator's business. */
export interface QueueStatus {
  /** How long the oldest job has waited for a runner, in seconds; 0 if none waits. */
  readonly oldest_job_seconds: number;
  /** For how long the oldest webhook has been due, in seconds; 0 if none is. */
  readonly oldest_webhook_seconds: number;
}

const cacheMs = 5000;

let cached: { readonly status: Promise<QueueStatus>; readonly atMs: number } | undefined;

/** The status of the queue, at most five seconds old: many pages may ask for it at once. */
export function readQueueStatus(): Promise<QueueStatus> {
  if (!cached || Date.now() - cached.atMs > cacheMs) {
    const status = readNow();
    cached = { status, atMs: Date.now() };
    status.catch(() => {
      cached = undefined;
    });
  }
  return cached.status;
}

async function readNow(): Promise<QueueStatus> {
  const [jobs, webhooks] = await Promise.all([countWaitingJobs(db()), countDueWebhooks(db())]);
  const longest = Math.max(0, ...jobs.map(({ oldestSeconds }) => oldestSeconds));
  return {
    oldest_job_seconds: Math.round(longest),
    oldest_webhook_seconds: Math.round(webhooks.oldestSeconds),
  };
}
