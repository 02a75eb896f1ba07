import { db, listen, notify, type Queryable } from "#lib/db/client.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { log } from "#lib/log.ts";
import { plans } from "#lib/plans.ts";

/** The channel that wakes runners of the embedded queue when a free slot may find work. */
const channel = "work_available";

/** Calls `onAvailable` when there may be work for which this runner received no message, until stopped. */
export function onWorkAvailable(onAvailable: () => void): Promise<() => Promise<void>> {
  return listen(channel, onAvailable, onAvailable);
}

/** For a runner that received a message and has no free slot: wakes the other runners. */
export async function notifyWorkAvailable(): Promise<void> {
  await notify(db(), channel, "").catch((err) => {
    log.warn({ err }, "other runners were not notified of work; they find it when they poll");
  });
}

/** Wakes runners when a job ends whose plan limits concurrent jobs: another job of its account may start. */
export async function notifySlotAvailable(tx: Queryable, ended: JobRow): Promise<void> {
  if (plans[ended.plan].concurrentJobs !== null) await notify(tx, channel, "");
}
