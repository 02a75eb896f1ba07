import { pingDatabase } from "#lib/db/ping.ts";

/** How long a request may take before the watchdog checks the database. */
const checkAfterMs = 3000;

/** How long the database may take to respond to that check. */
const pingTimeoutMs = 5000;

/** The check that is running. All slow requests of this process share it. */
let check: Promise<void> | undefined;

/** The requests that the watchdog has rejected. Their work may still wait for the database. */
const rejected = new WeakSet<object>();

/** The requests whose response is known. */
const decided = new WeakSet<object>();

/** The watchdog rejects a request no longer: its response is known, and what is still done for it may fail. */
export function markDecided(request: object): void {
  decided.add(request);
}

/** Whether the watchdog has rejected a request. */
export function isGivenUp(request: object): boolean {
  return rejected.has(request);
}

/**
 * Resolves to the result of `work` for a request. Rejects if the database stops responding in the meantime: a
 * database that hangs or is cut off does not fail queries, it leaves them waiting. While `isExempt`
 * returns true, `work` does not need the database.
 */
export async function withDatabaseWatchdog<Result>(
  request: object,
  work: Promise<Result>,
  isExempt: () => boolean = () => false,
): Promise<Result> {
  const { promise: databaseFailure, reject } = Promise.withResolvers<never>();
  const needsDatabase = () => !isExempt() && !decided.has(request);
  const rejectIfNeeded = (error: unknown) => {
    if (!needsDatabase()) return;
    rejected.add(request);
    reject(error);
  };
  const timer = setInterval(() => {
    if (!needsDatabase()) return;
    check ??= pingDatabase(pingTimeoutMs).finally(() => {
      check = undefined;
    });
    check.catch(rejectIfNeeded);
  }, checkAfterMs);
  try {
    return await Promise.race([work, databaseFailure]);
  } finally {
    clearInterval(timer);
  }
}
