import type { Queryable } from "#lib/db/client.ts";
import type { PlanName } from "#lib/plans.ts";

/** A job's files are fetched first, which takes no engine's place; then it waits for an engine. */
export type JobStage = "fetch" | "run";

/** News that a job may be run. The row is the truth; a ticket that comes twice or late does no harm. */
export interface JobMessage {
  readonly jobId: string;
  readonly accountId: string;
  readonly plan: PlanName;
  /** What the job waits for: a fetcher or an engine. */
  readonly stage: JobStage;
  /** Tells the tickets of one job apart, so that a further one is not taken for a copy of the first. */
  readonly round: string;
  /** Not before so many seconds. */
  readonly delaySeconds: number;
}

/** News that a webhook attempt is due. */
export interface DeliveryMessage {
  readonly deliveryId: string;
  readonly accountId: string;
  /** The receiver's address. */
  readonly url: string;
  readonly round: string;
  readonly delaySeconds: number;
}

/** What is left to do once the caller's transaction has committed. False: the queue could not be told. */
export type AfterCommit = () => Promise<boolean>;

/** The queue: Inngest, or the embedded one. */
export interface Queue {
  /** Announces in the caller's transaction where it can, and else in the returned function. */
  announceJob(tx: Queryable, ticket: JobMessage): Promise<AfterCommit>;
  announceDelivery(tx: Queryable, ticket: DeliveryMessage): Promise<AfterCommit>;
  /** Spares the queue a job that was cancelled while it waited. Nothing depends on it: the row says so too. */
  withdrawJob(jobId: string): AfterCommit;
  close(): Promise<void>;
}
