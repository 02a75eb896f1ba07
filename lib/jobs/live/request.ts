import { channels } from "#lib/db/channels.ts";
import { db } from "#lib/db/client.ts";
import { cancelPreview, insertPreview, takePreview } from "#lib/db/queries/live/previews.ts";
import type { LiveResult, LiveTask } from "#lib/db/schema/live-task.ts";
import { createChannelWatcher } from "#lib/db/watch-channel.ts";
import { waitAtMost } from "#lib/deadline.ts";
import { createId } from "#lib/ids.ts";

const watch = createChannelWatcher(channels.liveFinished, (id) => ({ ids: [id], message: id }));

/** How long a page waits, also while all engines are busy with jobs. */
const waitMs = { preview: 9000, card: 9000, measure: 65_000 } as const;

/**
 * Asks the runners for a live preview and waits for it. Undefined if none had time for it, or if `signal` was aborted,
 * with which it is cancelled.
 */
export async function requestPreview(
  task: LiveTask,
  signal: AbortSignal,
): Promise<LiveResult | undefined> {
  const id = createId("prv");
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  // Also called after the connection was lost: then the result may be there.
  const unwatch = await watch(id, () => resolve());
  try {
    await insertPreview(db(), id, task);
    await waitAtMost(finished, waitMs[task.kind], signal);
    const result = signal.aborted ? undefined : await takePreview(db(), id);
    if (!result) await cancelPreview(db(), id);
    return result;
  } finally {
    unwatch();
  }
}
