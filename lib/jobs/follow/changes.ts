import { db, listen, type Queryable } from "#lib/db/client.ts";
import { notifyOfJob } from "#lib/db/queries/jobs/jobs.ts";
import { log } from "#lib/log.ts";

/** The channel on which changes of jobs are told: `<account id> <job id>`. */
const channel = "job_changed";

/** Tells those who watch a job or its account that it changed, once the transaction has committed. */
export async function notifyJobChange(tx: Queryable, jobId: string): Promise<void> {
  await notifyOfJob(tx, channel, jobId);
}

/** The same outside a transaction. It never fails: those who watch look by themselves too, only later. */
export async function notifyJobChangeNow(jobId: string): Promise<void> {
  await notifyJobChange(db(), jobId).catch((err) => {
    log.warn({ err, job: jobId }, "a change of a job was not told");
  });
}

/** Told of a job that may have changed; undefined: notifications may have been lost, look at all. */
type Handler = (jobId: string | undefined) => void;

/** Handlers by the id of a job or an account, fed by one LISTEN connection of this process. */
const handlers = new Map<string, Set<Handler>>();
let listening: Promise<unknown> | undefined;

/** Calls `onChange` whenever the job may have changed, until the returned function is called. */
export function watchJob(jobId: string, onChange: Handler): Promise<() => void> {
  return watch(jobId, onChange);
}

/** Calls `onChange` for every job of the account that may have changed or is new. */
export function watchAccount(accountId: string, onChange: Handler): Promise<() => void> {
  return watch(accountId, onChange);
}

async function watch(id: string, handler: Handler): Promise<() => void> {
  listening ??= listen(channel, dispatch, missed).catch((error) => {
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

/** The connection was away: whatever was told meanwhile is lost. */
function missed(): void {
  for (const set of handlers.values()) {
    for (const handler of set) handler(undefined);
  }
}
