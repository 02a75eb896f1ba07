import { db, listen, type Queryable } from "#lib/db/client.ts";
import { notifyOfJob } from "#lib/db/queries/jobs/jobs.ts";
import { log } from "#lib/log.ts";

/** The channel for changes of jobs. The payload is `<account id> <job id>`. */
const channel = "job_changed";

/** Notifies the watchers of a job and its account that it changed, after the transaction commits. */
export async function notifyJobChange(tx: Queryable, jobId: string): Promise<void> {
  await notifyOfJob(tx, channel, jobId);
}

/** The same outside a transaction. Never throws: watchers also poll, which only takes longer. */
export async function notifyJobChangeNow(jobId: string): Promise<void> {
  await notifyJobChange(db(), jobId).catch((err) => {
    log.warn({ err, job: jobId }, "job change notification failed");
  });
}

/** Receives the id of a job that may have changed. Undefined: notifications may be lost, any job may have changed. */
type Handler = (jobId: string | undefined) => void;

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
  listening ??= listen(channel, dispatch, dispatchToAll).catch((error) => {
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
  const [accountId = "", jobId = ""] = payload.split(" ");
  for (const id of [jobId, accountId]) {
    for (const handler of handlers.get(id) ?? []) handler(jobId);
  }
}

/** After a reconnection: notifications sent in between are lost. */
function dispatchToAll(): void {
  for (const set of handlers.values()) {
    for (const handler of set) handler(undefined);
  }
}
