import { db } from "#lib/db/client.ts";
import { type AttemptLimit, consumeAttempt } from "#lib/db/queries/accounts/attempt-limits.ts";
import type { ConnectionRow } from "#lib/db/schema/credentials/connections.ts";
import { RequestError } from "#lib/errors.ts";
import type { ConnectionOwner } from "./manage.ts";
import { connectionNetworkFor } from "./network.ts";
import { openStore } from "./open-store.ts";
import type { Store } from "./stores/store.ts";

/** Stores that requests of their owner reach: tests of connections, and lists of files. */

/**
 * Tests and lists of an account together: 60 at once, then one every 2 s. Someone who looks through folders stays
 * below it, and what tries the addresses and ports of other networks does not.
 */
const limit: AttemptLimit = { burst: 60, secondsEach: 2 };

const storeMs = 60_000;

/** Opens the store of a connection for `work`, for at most a minute. Throws `rate_limited`. */
export async function withStore<Result>(
  { id: accountId, plan }: ConnectionOwner,
  row: ConnectionRow,
  work: (store: Store, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  await requireBelowLimit(accountId);
  const signal = AbortSignal.timeout(storeMs);
  const store = await openStore(row, { network: connectionNetworkFor(plan), signal });
  try {
    return await work(store, signal);
  } finally {
    await store.close();
  }
}

async function requireBelowLimit(accountId: string): Promise<void> {
  const seconds = await consumeAttempt(db(), `connectionUse:${accountId}`, limit);
  if (seconds === 0) return;
  const message = `You can test connections and list their files ${limit.burst} times at once, then once every ${limit.secondsEach} seconds. Try again in ${seconds} s.`;
  throw new RequestError("rate_limited", message, { headers: { "Retry-After": String(seconds) } });
}
