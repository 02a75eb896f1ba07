import { channels } from "#lib/db/channels.ts";
import { db } from "#lib/db/client.ts";
import { listReceivedRequests, type ReceivedSummary } from "#lib/db/queries/webhooks/received.ts";
import { createChannelWatcher } from "#lib/db/watch-channel.ts";
import { waitAtMost } from "#lib/deadline.ts";

const watch = createChannelWatcher(channels.receiverChanged, (accountId) => ({
  ids: [accountId],
  message: accountId,
}));

/** Changes within this time are sent in one list. */
const batchMs = 300;

/** After this time without a change, undefined is yielded as a keep-alive. */
const idleMs = 20_000;

/**
 * Yields the requests that an account's test receiver has, newest first: at once, and whenever they have changed.
 * Undefined is a keep-alive. Ends when `signal` is aborted.
 */
export async function* followReceiver(
  accountId: string,
  signal: AbortSignal,
): AsyncGenerator<ReceivedSummary[] | undefined> {
  let hasChanged = true;
  let wake = () => {};
  const unwatch = await watch(accountId, () => {
    hasChanged = true;
    wake();
  });
  try {
    while (!signal.aborted) {
      const mustRead = hasChanged;
      hasChanged = false;
      yield mustRead ? await listReceivedRequests(db(), accountId) : undefined;
      if (mustRead) await waitAtMost(new Promise(() => {}), batchMs, signal);
      if (hasChanged) continue;
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await waitAtMost(changed, idleMs, signal);
    }
  } finally {
    unwatch();
  }
}
