import { db } from "#lib/db/client.ts";
import { findJob } from "#lib/db/queries/jobs/jobs.ts";
import { isFinalStatus } from "#lib/db/schema/job-states.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { waitAtMost } from "#lib/deadline.ts";
import { stoppingSignal } from "#lib/stopping.ts";
import { isFinal } from "../state.ts";
import { watchJob } from "./changes.ts";

/** How often a followed job is read without a notification, in case one is lost. */
const pollMs = 2000;

/**
 * Yields the job now and after every change, until the job ends or `signal` is aborted. Because it also
 * polls, the same state may be yielded twice. Yields nothing if the account has no such job.
 */
export async function* followJob(
  accountId: string,
  jobId: string,
  signal: AbortSignal,
): AsyncGenerator<JobRow> {
  let wake = () => {};
  const unwatch = await watchJob(jobId, () => wake());
  try {
    while (true) {
      // Created before the read, so that a change between the read and the wait is not missed.
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const isLast = signal.aborted;
      const job = await findJob(db(), accountId, jobId);
      if (job) yield job;
      if (!job || isFinal(job) || isLast) return;
      await waitAtMost(changed, pollMs, signal);
    }
  } finally {
    unwatch();
  }
}

/** A watch on a job that may not exist yet. */
export interface EndWatch {
  /** The job when it has ended, or as it is after the time of the watch. Stops the watch. */
  wait(signal: AbortSignal): Promise<JobRow | undefined>;
  stop(): void;
}

/**
 * Starts to watch for the end of a job, before it is accepted. No notification is missed then, and the
 * job is read only once if it ends soon.
 */
export async function watchForEnd(
  accountId: string,
  jobId: string,
  seconds: number,
): Promise<EndWatch> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const stop = await watchJob(jobId, (id, status) => {
    if (id === undefined || (status && isFinalStatus(status))) resolve();
  });
  return {
    stop,
    async wait(signal) {
      const endsAt = Date.now() + seconds * 1000;
      const end = AbortSignal.any([signal, stoppingSignal()]);
      await waitAtMost(ended, Math.min(pollMs, seconds * 1000), end);
      stop();
      return waitForJob(accountId, jobId, Math.max(0, endsAt - Date.now()) / 1000, signal);
    },
  };
}

/** The job when it has ended, or as it is after `seconds`. Undefined if the account has no such job. */
export async function waitForJob(
  accountId: string,
  jobId: string,
  seconds: number,
  signal: AbortSignal,
): Promise<JobRow | undefined> {
  const timeout = AbortSignal.timeout(Math.ceil(seconds * 1000));
  const end = AbortSignal.any([signal, stoppingSignal(), timeout]);
  let last: JobRow | undefined;
  for await (const job of followJob(accountId, jobId, end)) last = job;
  return last;
}
