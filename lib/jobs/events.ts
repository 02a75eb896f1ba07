import { db, listen } from "#lib/db/client.ts";
import { findJob } from "#lib/db/queries/jobs.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";

/** The channel on which changes of jobs are told; its payload is the job's id. */
export const changeChannel = "job_changed";

export function isFinal(job: Pick<JobRow, "status">): boolean {
  return job.status !== "pending" && job.status !== "processing";
}

/** Handlers by job, fed by one LISTEN connection of this process. */
const handlers = new Map<string, Set<() => void>>();
let listening: Promise<unknown> | undefined;

/** Calls `onChange` whenever `jobId` may have changed, until the returned function is called. */
export async function watchJob(jobId: string, onChange: () => void): Promise<() => void> {
  listening ??= listen(changeChannel, (id) => {
    for (const handler of handlers.get(id) ?? []) handler();
  }).catch((error) => {
    listening = undefined;
    throw error;
  });
  await listening;
  const set = handlers.get(jobId) ?? new Set();
  handlers.set(jobId, set.add(onChange));
  return () => {
    set.delete(onChange);
    if (set.size === 0) handlers.delete(jobId);
  };
}

/** How often a waiting request looks by itself, should a notification have been lost. */
const pollMs = 2000;

/** The job once it is final, or as it is after `seconds`. Undefined where the account has no such job. */
export async function waitForJob(
  accountId: string,
  jobId: string,
  seconds: number,
  signal: AbortSignal,
): Promise<JobRow | undefined> {
  const deadline = Date.now() + seconds * 1000;
  let wake = () => {};
  const unwatch = await watchJob(jobId, () => wake());
  try {
    while (true) {
      // Armed before the read, so that a change between the read and the wait is not missed.
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const job = await findJob(db(), accountId, jobId);
      const remaining = deadline - Date.now();
      if (!job || isFinal(job) || remaining <= 0 || signal.aborted) return job;
      await pause(changed, Math.min(remaining, pollMs), signal);
    }
  } finally {
    unwatch();
  }
}

async function pause(changed: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const onAbort = () => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  await Promise.race([changed, promise]);
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
}
