import type { Queryable } from "#lib/db/client.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import type { PlanName } from "#lib/plans.ts";

/**
 * Signals that a job can run. The row is the source of truth: a message that arrives twice or late has
 * no effect.
 */
export interface JobMessage {
  readonly jobId: string;
  readonly accountId: string;
  readonly plan: PlanName;
  readonly stage: JobStage;
  /**
   * A key that is unique per message of a job, so that a further message is not dropped as a
   * duplicate.
   */
  readonly dedupeKey: string;
  /** The message is delivered after this time at the earliest. */
  readonly delaySeconds: number;
}

/** Signals that a webhook attempt is due. */
export interface DeliveryMessage {
  readonly deliveryId: string;
  readonly accountId: string;
  /** The receiver's URL. */
  readonly url: string;
  readonly dedupeKey: string;
  readonly delaySeconds: number;
}

/** What remains to do after the caller's transaction has committed. False if the queue is unavailable. */
export type AfterCommit = () => Promise<boolean>;

/** A job's message, to be sent with the statement that makes the job ready. */
export interface Announcement {
  /** The payload of the notification that wakes the runners; null if the queue wakes them itself. */
  readonly wakes: string | null;
  readonly afterCommit: AfterCommit;
}

/** The queue: Inngest, or the embedded one. */
export interface Queue {
  /** Announces a job. Neither this nor `enqueueJob` sends a message that no runner needs. */
  announceJob(message: JobMessage): Announcement;
  /** Enqueues in the caller's transaction if the queue can, else in the returned function. */
  enqueueJob(tx: Queryable, message: JobMessage): Promise<AfterCommit>;
  enqueueDelivery(tx: Queryable, message: DeliveryMessage): Promise<AfterCommit>;
  /** Enqueues many messages in few requests, also if runners seem to claim the jobs without them. */
  enqueueJobs(tx: Queryable, messages: readonly JobMessage[]): Promise<AfterCommit>;
  /** Enqueues many messages in few requests. */
  enqueueDeliveries(tx: Queryable, messages: readonly DeliveryMessage[]): Promise<AfterCommit>;
  /**
   * Ends the runs that a vanished process was given for these messages, so that the queue frees their
   * slots. Ending a run that has ended has no effect. False if the queue is unavailable.
   */
  endRuns(messageIds: readonly string[]): Promise<boolean>;
}
