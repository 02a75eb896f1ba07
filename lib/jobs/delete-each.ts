import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { log } from "#lib/log.ts";
import { readStorageState } from "#lib/storage/storage-state.ts";

/** Deletions that run at a time: each waits for several responses of the store. */
const defaultConcurrent = 8;

/** After this time, the next sweep goes on: there is other work between two. */
const maxMs = 30_000;

/** With more failures, something is wrong that a further one does not make clearer. */
const maxFailures = 1000;

/**
 * Calls `remove` for what `list` finds, several at a time, until it finds nothing or 30 s are over. `list` gets the ids
 * that it is to leave out: what could not be deleted, such as a file that the store has locked, is logged, left to the
 * next sweep and keeps nothing else from being deleted. Resolves with the number of these. Throws only while the storage
 * or the database does not respond.
 */
export async function deleteEach<Row extends { readonly id: string }>(
  list: (except: readonly string[]) => Promise<readonly Row[]>,
  remove: (row: Row) => Promise<unknown>,
  { concurrent = defaultConcurrent }: { readonly concurrent?: number } = {},
): Promise<number> {
  const until = Date.now() + maxMs;
  const failed: string[] = [];
  let firstError: unknown;
  while (Date.now() < until && failed.length < maxFailures) {
    const rows = await list(failed);
    if (rows.length === 0) break;
    const queue = rows.values();
    let isUnavailable = false;
    const work = async () => {
      for (const row of queue) {
        if (isUnavailable || Date.now() > until) return;
        try {
          await remove(row);
        } catch (err) {
          if (isDatabaseUnavailable(err) || (await readStorageState()) !== "ok") {
            isUnavailable = true;
            throw err;
          }
          failed.push(row.id);
          firstError ??= err;
        }
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: concurrent }, work));
    for (const one of ended) if (one.status === "rejected") throw one.reason;
  }
  if (failed.length > 0) {
    const fields = { err: firstError, count: failed.length, first: failed.slice(0, 10) };
    log.warn(fields, "not all files were deleted; the next sweep tries again");
  }
  return failed.length;
}
