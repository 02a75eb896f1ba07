import { db, listen, notify, type Queryable } from "#lib/db/client.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { log } from "#lib/log.ts";
import { plans } from "#lib/plans.ts";
import { planOf } from "./queue-message.ts";

/** The channel on which runners of the embedded queue hear that a free place may find work. */
const channel = "work_waits";

/** Calls `onNews` when there may be work that no ticket told this runner of, until stopped. */
export function onWorkAvailable(onNews: () => void): Promise<() => Promise<void>> {
  return listen(channel, onNews, onNews);
}

/** A runner that took a ticket and has no free place passes the news on. */
export async function notifyWorkAvailable(): Promise<void> {
  await notify(db(), channel, "").catch((err) => {
    log.warn({ err }, "other runners were not told of work; they look by themselves");
  });
}

/** A job's end lets another of its account begin, where its plan had it wait. */
export async function notifySlotAvailable(tx: Queryable, ended: JobRow): Promise<void> {
  if (plans[planOf(ended)].jobsAtOnce !== null) await notify(tx, channel, "");
}
