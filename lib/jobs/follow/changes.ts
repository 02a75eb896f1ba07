import { channels } from "#lib/db/channels.ts";
import { db, notify, type Queryable } from "#lib/db/client.ts";
import type { JobStatus } from "#lib/db/schema/job-states.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { createChannelWatcher } from "#lib/db/watch-channel.ts";
import { log } from "#lib/log.ts";

type ChangedJob = Pick<JobRow, "id" | "accountId" | "status">;

/** Notifies the watchers of a job and its account that it changed, after the transaction commits. */
export async function notifyJobChange(tx: Queryable, job: ChangedJob): Promise<void> {
  await notify(tx, channels.jobChanged, `${job.accountId} ${job.id} ${job.status}`);
}

/** The same outside a transaction. Never throws: watchers also poll, which only takes longer. */
export async function notifyJobChangeNow(job: ChangedJob): Promise<void> {
  await notifyJobChange(db(), job).catch((err) => {
    log.warn({ err, job: job.id }, "job change notification failed");
  });
}

/**
 * Receives the id and the status of a job that may have changed. Undefined: notifications may be lost,
 * any job may have changed.
 */
type Handler = (jobId: string | undefined, status?: JobStatus) => void;

const watch = createChannelWatcher(channels.jobChanged, (payload) => {
  const [accountId = "", jobId = "", status] = payload.split(" ");
  // Only `notifyJobChange` sends on this channel.
  return { ids: [jobId, accountId], message: { jobId, status: status as JobStatus } };
});

/** Calls `onChange` when the job may have changed, until the returned function is called. */
export function watchJob(jobId: string, onChange: Handler): Promise<() => void> {
  return watch(jobId, (change) => onChange(change?.jobId, change?.status));
}

/** Calls `onChange` for every job of the account that is new or may have changed. */
export function watchAccount(accountId: string, onChange: Handler): Promise<() => void> {
  return watch(accountId, (change) => onChange(change?.jobId, change?.status));
}
