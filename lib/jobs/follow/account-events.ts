import { db } from "#lib/db/client.ts";
import { findJobSummaries, listNewestJobs } from "#lib/db/queries/jobs/summaries.ts";
import { type JobSummary, summarizeJob } from "../view/summary.ts";
import { watchAccount } from "./changes.ts";
import { pause } from "./events.ts";

/** Times in milliseconds; short in tests. */
export interface FollowTimes {
  /** Changes within this time of each other come together. */
  readonly gatherMs: number;
  /** After this time without a change an empty list comes, as a sign of life. */
  readonly idleMs: number;
}

const usualTimes: FollowTimes = { gatherMs: 200, idleMs: 20_000 };

/** Jobs that one read asks for; more changes than that come in several lists. */
const readAtOnce = 100;

/** How many of the newest jobs come first, and again when changes may have been missed. */
export const newestCount = 50;

/**
 * An account's jobs as they change: first the newest ones and those of `known` (ids that the reader
 * shows), then each job that changed or is new, in lists. It ends when `signal` is aborted.
 */
export async function* followAccountJobs(
  accountId: string,
  known: readonly string[],
  signal: AbortSignal,
  times: FollowTimes = usualTimes,
): AsyncGenerator<JobSummary[]> {
  const changed = new Set<string>();
  let all = true;
  let wake = () => {};
  const unwatch = await watchAccount(accountId, (id) => {
    if (id === undefined) all = true;
    else changed.add(id);
    wake();
  });
  try {
    while (!signal.aborted) {
      if (all) {
        all = false;
        const [newest, shown] = await Promise.all([
          listNewestJobs(db(), accountId, newestCount),
          findJobSummaries(db(), accountId, known),
        ]);
        yield uniqueById([...newest, ...shown]).map(summarizeJob);
      } else {
        const ids = [...changed].slice(0, readAtOnce);
        for (const id of ids) changed.delete(id);
        yield (await findJobSummaries(db(), accountId, ids)).map(summarizeJob);
      }
      await gather();
    }
  } finally {
    unwatch();
  }

  /** Waits for a change, and a little longer for those that come with it. */
  async function gather(): Promise<void> {
    const told = new Promise<void>((resolve) => {
      wake = resolve;
    });
    if (changed.size === 0 && !all) await pause(told, times.idleMs, signal);
    if (changed.size > 0) await pause(new Promise(() => {}), times.gatherMs, signal);
  }
}

function uniqueById<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
