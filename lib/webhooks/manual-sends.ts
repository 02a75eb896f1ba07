import type { Queryable } from "#lib/db/client.ts";
import { type AttemptLimit, consumeAttempt } from "#lib/db/queries/accounts/attempt-limits.ts";
import { countManualDeliveries } from "#lib/db/queries/webhooks/deliveries.ts";
import { RequestError } from "#lib/errors.ts";

/**
 * Limits on webhooks that an account sends by hand: test events, samples, replays, and deliveries that it
 * sends again. The webhooks of its jobs are never limited: none of them may be lost.
 */

/** All kinds together: 20 at once, then one every 10 s. */
const limit: AttemptLimit = { burst: 20, secondsEach: 10 };

/** The most that may wait for an attempt, to one host and to all hosts together. */
const maxPending = { host: 100, account: 1000 } as const;

/** How soon a client may try again while too many wait, in seconds. */
const pendingRetrySeconds = 60;

/** Counts a send, in its transaction. Throws `rate_limited` above a limit; then it does not count. */
export async function countManualSend(
  tx: Queryable,
  accountId: string,
  url: string,
): Promise<void> {
  // Locks the row of the account's limit, so that its other sends wait for this transaction.
  const seconds = await consumeAttempt(tx, `manualSend:${accountId}`, limit);
  if (seconds > 0) {
    const message = `You can send ${limit.burst} webhooks by hand at once, then one every ${limit.secondsEach} seconds. Try again in ${seconds} s.`;
    throw limited(message, seconds);
  }
  const pending = await countManualDeliveries(tx, accountId, new URL(url).host);
  if (pending.host >= maxPending.host || pending.account >= maxPending.account) {
    const message = `Too many webhooks that you sent by hand wait for their next attempt: at most ${maxPending.host} to one host, and ${maxPending.account} in total. Try again later.`;
    throw limited(message, pendingRetrySeconds);
  }
}

function limited(message: string, seconds: number): RequestError {
  return new RequestError("rate_limited", message, { headers: { "Retry-After": String(seconds) } });
}
