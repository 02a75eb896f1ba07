import { channels } from "#lib/db/channels.ts";
import { db, listen, notify, type Queryable } from "#lib/db/client.ts";
import type { JobStatus } from "#lib/db/schema/job-states.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
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

/** Handlers by the id of a job or an account. One LISTEN connection of this process serves them. */
const handlers = new Map<string, Set<Handler>>();
let listening: Promise<unknown> | undefined;

/** Calls `onChange` when the job may have changed, until the returned function is called. */
export function watchJob(jobId: string, onChange: Handler): Promise<() => void> {
  return watch(jobId, onChange);
}

/** Calls `onChange` for every job of the account that is new or may have changed. */
export function watchAccount(accountId: string, onChange: Handler): Promise<() => void> {
  return watch(accountId, onChange);
}

async function watch(id: string, handler: Handler): Promise<() => void> {
  listening ??= listen(channels.jobChanged, dispatch, dispatchToAll).catch((error) => {
    listening = undefined;
    throw error;
  });
  await listening;
  const set = handlers.get(id) ?? new Set();
  handlers.set(id, set.add(handler));
  return () => {
    set.delete(handler);
    if (set.size === 0 && handlers.get(id) === set) handlers.delete(id);
  };
}

function dispatch(payload: string): void {
  const [accountId = "", jobId = "", status] = payload.split(" ");
  for (const id of [jobId, accountId]) {
    // Only `notifyJobChange` sends on this channel.
    for (const handler of handlers.get(id) ?? []) handler(jobId, status as JobStatus);
  }
}

/** After a reconnection: notifications sent in between are lost. */
function dispatchToAll(): void {
  for (const set of handlers.values()) {
    for (const handler of set) handler(undefined);
  }
}
