import { db } from "#lib/db/client.ts";
import { findJobSummaries, listNewestJobs } from "#lib/db/queries/jobs/summaries.ts";
import { waitAtMost } from "#lib/deadline.ts";
import { type JobSummary, serializeJobSummary } from "../view/summary.ts";
import { watchAccount } from "./changes.ts";

/** Times in milliseconds. Short in tests. */
export interface FollowTimes {
  /** Changes within this time are sent in one list. */
  readonly batchMs: number;
  /** After this time without a change, an empty list is sent as a keep-alive. */
  readonly idleMs: number;
}

const defaultTimes: FollowTimes = { batchMs: 200, idleMs: 20_000 };

/** Maximum number of jobs in one list. More changes are sent in several lists. */
const batchSize = 100;

/** Number of the newest jobs in the first list, and after notifications may have been lost. */
export const newestCount = 50;

/**
 * Yields an account's jobs in lists: first the newest ones and those of `known` (ids that the client
 * shows), then each job that is new or has changed. Ends when `signal` is aborted.
 */
export async function* followAccountJobs(
  accountId: string,
  known: readonly string[],
  signal: AbortSignal,
  times: FollowTimes = defaultTimes,
): AsyncGenerator<JobSummary[]> {
  const changed = new Set<string>();
  let mustReadAll = true;
  let wake = () => {};
  const unwatch = await watchAccount(accountId, (id) => {
    if (id === undefined) mustReadAll = true;
    else changed.add(id);
    wake();
  });
  try {
    while (!signal.aborted) {
      if (mustReadAll) {
        mustReadAll = false;
        const [newest, shown] = await Promise.all([
          listNewestJobs(db(), accountId, newestCount),
          findJobSummaries(db(), accountId, known),
        ]);
        yield uniqueById([...newest, ...shown]).map(serializeJobSummary);
      } else {
        const ids = [...changed].slice(0, batchSize);
        for (const id of ids) changed.delete(id);
        yield (await findJobSummaries(db(), accountId, ids)).map(serializeJobSummary);
      }
      await waitForChanges();
    }
  } finally {
    unwatch();
  }

  /** Waits for a change, and a little longer for further changes. */
  async function waitForChanges(): Promise<void> {
    const notified = new Promise<void>((resolve) => {
      wake = resolve;
    });
    if (changed.size === 0 && !mustReadAll) await waitAtMost(notified, times.idleMs, signal);
    if (changed.size > 0) await waitAtMost(new Promise(() => {}), times.batchMs, signal);
  }
}

function uniqueById<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
