import { channels } from "#lib/db/channels.ts";
import { db, notify, type Queryable } from "#lib/db/client.ts";
import { listen } from "#lib/db/listen.ts";
import { countSlotsWithoutRun } from "#lib/db/queries/jobs/runners.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";

/** Work that runners may find in the database. */
export interface AvailableWork {
  /** The kind of work; `job` means that a job of any stage may start. */
  readonly kind: JobStage | "job" | "delivery";
  /** It is due after this time. */
  readonly delaySeconds: number;
  /** A random number that decides which of many idle runners looks for it; absent if all of them do. */
  readonly seed?: number;
  /** How many runners were busy when it was their turn. */
  readonly turn?: number;
}

/** A seed for the notification of one job. */
export function randomSeed(): number {
  return Math.floor(Math.random() * 2 ** 16);
}

/** The payload of the notification of `work`. */
export function workPayload({ kind, delaySeconds, seed, turn = 0 }: AvailableWork): string {
  const fields = [kind, delaySeconds, ...(seed === undefined ? [] : [seed, turn])];
  return fields.join(" ");
}

/** Notifies the runners of work, after the transaction commits. */
export async function notifyWorkAvailable(tx: Queryable, work: AvailableWork): Promise<void> {
  await notify(tx, channels.workAvailable, workPayload(work));
}

/**
 * How many slots have no run under Inngest that claims the jobs of `stage`, which were committed, without a
 * message. Zero if a run waits for them, which is woken; infinite if no runner is alive.
 */
export function wakeClaimingRuns(stage: JobStage): Promise<number> {
  return countSlotsWithoutRun(db(), stage, workPayload({ kind: stage, delaySeconds: 0 }));
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
    const [kind, delay, seed, turn] = payload.split(" ");
    // Only `notifyWorkAvailable` sends on this channel.
    const work = { kind: kind as AvailableWork["kind"], delaySeconds: Number(delay) };
    onWork(seed === undefined ? work : { ...work, seed: Number(seed), turn: Number(turn) });
  };
  return listen(channels.workAvailable, onMessage, onListen);
}
