import { listen, notify, type Queryable } from "#lib/db/client.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";

/** The channel that wakes runners of the embedded queue. The payload is `<kind> <delay in seconds>`. */
const channel = "work_available";

/** Work that runners of the embedded queue may find in the database. */
export interface AvailableWork {
  /** `job`: a job of any stage may start. */
  readonly kind: JobStage | "job" | "delivery";
  /** It is due after this time. */
  readonly delaySeconds: number;
}

/** Notifies the runners of work, after the transaction commits. */
export async function notifyWorkAvailable(tx: Queryable, work: AvailableWork): Promise<void> {
  await notify(tx, channel, `${work.kind} ${work.delaySeconds}`);
}

/**
 * Calls `onWork` for every notification, until stopped. `onListen` is called after every connect and
 * reconnect: notifications sent before it are lost.
 */
export function onWorkAvailable(
  onWork: (work: AvailableWork) => void,
  onListen: () => void,
): Promise<() => Promise<void>> {
  const onMessage = (payload: string) => {
    const [kind, delay] = payload.split(" ");
    // Only `notifyWorkAvailable` sends on this channel.
    onWork({ kind: kind as AvailableWork["kind"], delaySeconds: Number(delay) });
  };
  return listen(channel, onMessage, onListen);
}
