import { db } from "#lib/db/client.ts";
import { countDueWebhooks, countWaitingJobs } from "#lib/db/queries/jobs/queue-state.ts";
import { recent } from "./recent.ts";

/** How long work waits now. Has no counts, which are the operator's business. */
export interface QueueStatus {
  /** How long the oldest job has waited for a runner, in seconds; 0 if none waits. */
  readonly oldest_job_seconds: number;
  /** For how long the oldest webhook has been due, in seconds; 0 if none is. */
  readonly oldest_webhook_seconds: number;
}

/** The status of the queue, at most five seconds old. */
export const readQueueStatus = recent(5000, readNow);

async function readNow(): Promise<QueueStatus> {
  const [jobs, webhooks] = await Promise.all([countWaitingJobs(db()), countDueWebhooks(db())]);
  const longest = Math.max(0, ...jobs.map(({ oldestSeconds }) => oldestSeconds));
  return {
    oldest_job_seconds: Math.round(longest),
    oldest_webhook_seconds: Math.round(webhooks.oldestSeconds),
  };
}
