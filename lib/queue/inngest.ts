import { createHash } from "node:crypto";
import { Inngest } from "inngest";
import { db } from "#lib/db/client.ts";
import { recordDeliveryEnqueued, recordJobEnqueued } from "#lib/db/queries/jobs/enqueueing.ts";
import { waitAtMost } from "#lib/deadline.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { slotOf } from "./inngest-plans.ts";
import type { AfterCommit, DeliveryMessage, JobMessage, Queue } from "./port.ts";

/** Names of the events. The first three each start a function of `inngest/`, the last one ends its run. */
export const eventNames = {
  fetch: "mediamill/job.fetch",
  run: "mediamill/job.run",
  delivery: "mediamill/webhook.deliver",
  cancelled: "mediamill/job.cancelled",
} as const;

/** Data of the events that enqueue a job. */
export interface JobEvent {
  readonly jobId: string;
  readonly accountId: string;
  readonly plan: JobMessage["plan"];
  /** Selects one of the account's concurrency keys; see `jobConcurrency`. */
  readonly slot: number;
}

/** Data of the event that enqueues a webhook attempt. */
export interface DeliveryEvent {
  readonly deliveryId: string;
  readonly accountId: string;
  /** A hash of the URL, which may contain secrets. */
  readonly endpoint: string;
}

/** How long a caller waits until Inngest accepts an event. After that, the send continues in the background. */
const sendTimeoutMs = 3000;

/**
 * Creates an Inngest client. Every app (web, media, webhooks) has its own id, so that each function
 * belongs to one app. Without keys, as with a development server, nothing is signed.
 */
export function createInngest(id: string): Inngest {
  return new Inngest({
    id,
    ...(env.INNGEST_BASE_URL ? { baseUrl: env.INNGEST_BASE_URL } : {}),
    ...(env.INNGEST_EVENT_KEY ? { eventKey: env.INNGEST_EVENT_KEY } : {}),
    ...(env.INNGEST_SIGNING_KEY ? { signingKey: env.INNGEST_SIGNING_KEY } : {}),
    // Explicit, because the SDK would otherwise guess it from other environment variables.
    isDev: !env.INNGEST_SIGNING_KEY,
    aiMetadata: false,
    logger: log.child({ component: "inngest" }),
  });
}

/**
 * The queue under Inngest. An event cannot take part in a transaction. It is sent after the commit. If
 * that fails, the row records it and the sweep sends the event again.
 */
export class InngestQueue implements Queue {
  readonly #client = createInngest("mediamill-web");

  async enqueueJob(_tx: unknown, message: JobMessage): Promise<AfterCommit> {
    const { jobId, accountId, plan, stage, dedupeKey, delaySeconds } = message;
    const data: JobEvent = { jobId, accountId, plan, slot: slotOf(jobId, plan) };
    return this.#sendAfterCommit(
      { id: `${jobId}:${dedupeKey}`, name: eventNames[stage], data: { ...data } },
      delaySeconds,
      () => recordJobEnqueued(db(), jobId, false),
    );
  }

  async enqueueDelivery(_tx: unknown, message: DeliveryMessage): Promise<AfterCommit> {
    const { deliveryId, accountId, url, dedupeKey, delaySeconds } = message;
    const endpoint = createHash("sha256").update(url).digest("hex").slice(0, 16);
    const data: DeliveryEvent = { deliveryId, accountId, endpoint };
    return this.#sendAfterCommit(
      { id: `${deliveryId}:${dedupeKey}`, name: eventNames.delivery, data: { ...data } },
      delaySeconds,
      () => recordDeliveryEnqueued(db(), deliveryId, false),
    );
  }

  dequeueJob(jobId: string): AfterCommit {
    const event = { id: `${jobId}:cancelled`, name: eventNames.cancelled, data: { jobId } };
    return this.#sendAfterCommit(event, 0, async () => {});
  }

  async close(): Promise<void> {}

  /** Sends `event`. Inngest drops an event whose id it has received in the last 24 hours. */
  #sendAfterCommit(
    event: { id: string; name: string; data: Record<string, unknown> },
    delaySeconds: number,
    onFailure: () => Promise<void>,
  ): AfterCommit {
    return async () => {
      const delay = delaySeconds > 0 ? { ts: Date.now() + Math.ceil(delaySeconds * 1000) } : {};
      const sending = this.#client.send({ ...event, ...delay }).then(
        () => true,
        async (err) => {
          const { jobId: job } = event.data;
          log.warn(
            { err, job, event: event.id },
            "Inngest event rejected; the sweep sends it again",
          );
          await onFailure().catch((cause) =>
            log.warn({ err: cause, job, event: event.id }, "enqueueing failure not recorded"),
          );
          return false;
        },
      );
      return (await waitAtMost(sending, sendTimeoutMs)) ?? false;
    };
  }
}
