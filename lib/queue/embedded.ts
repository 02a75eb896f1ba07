import type { Queryable } from "#lib/db/client.ts";
import type { AfterCommit, Announcement, DeliveryMessage, JobMessage, Queue } from "./port.ts";
import { notifyWorkAvailable, randomSeed, workPayload } from "./work-available.ts";

const nothingToDo: AfterCommit = async () => true;

/**
 * The queue on the service's own PostgreSQL. The rows of jobs and deliveries are the queue, and say
 * when they are due. A message is a notification to the runners, sent when the caller's transaction
 * commits. A lost notification only takes longer: runners also poll.
 */
export class EmbeddedQueue implements Queue {
  announceJob({ stage: kind, delaySeconds }: JobMessage): Announcement {
    const wakes = workPayload({ kind, delaySeconds, seed: randomSeed() });
    return { wakes, afterCommit: nothingToDo };
  }

  async enqueueJob(tx: Queryable, message: JobMessage): Promise<AfterCommit> {
    const { stage: kind, delaySeconds } = message;
    await notifyWorkAvailable(tx, { kind, delaySeconds, seed: randomSeed() });
    return nothingToDo;
  }

  async enqueueDelivery(tx: Queryable, { delaySeconds }: DeliveryMessage): Promise<AfterCommit> {
    await notifyWorkAvailable(tx, { kind: "delivery", delaySeconds });
    return nothingToDo;
  }

  /** One notification per stage and delay: it says that there is work, not which. */
  async enqueueJobs(tx: Queryable, messages: readonly JobMessage[]): Promise<AfterCommit> {
    const works = messages.map(({ stage, delaySeconds }) => ({ kind: stage, delaySeconds }));
    const different = new Map(works.map((work) => [`${work.kind} ${work.delaySeconds}`, work]));
    for (const work of different.values()) await notifyWorkAvailable(tx, work);
    return nothingToDo;
  }

  async enqueueDeliveries(
    tx: Queryable,
    messages: readonly DeliveryMessage[],
  ): Promise<AfterCommit> {
    const delays = new Set(messages.map(({ delaySeconds }) => delaySeconds));
    for (const delaySeconds of delays) {
      await notifyWorkAvailable(tx, { kind: "delivery", delaySeconds });
    }
    return nothingToDo;
  }

  /** The embedded queue has no runs: a slot belongs to its process and ends with it. */
  async endRuns(): Promise<boolean> {
    return true;
  }
}
