import { db } from "#lib/db/client.ts";
import { recordDeliveriesEnqueued } from "#lib/db/queries/jobs/enqueueing.ts";
import { type DueDelivery, findDueDelivery } from "#lib/db/queries/webhooks/deliveries.ts";
import { FairQueue, type TakenDelivery } from "#lib/jobs/runner/fair-queue.ts";
import type { OpenRuns } from "#lib/jobs/runner/open-runs.ts";
import { deliveryLimits } from "#lib/jobs/runner/webhook-runner.ts";
import { serializeNotification } from "#lib/jobs/view/notification.ts";
import type { DeliveryEvent } from "#lib/queue/inngest.ts";
import { type AttemptReport, deliverWebhook } from "#lib/webhooks/deliver.ts";

/** What a step did. `more`: another delivery may start now. */
export type AttemptResult = (AttemptReport | { readonly reason: string }) & { more: boolean };

const stopped = { reason: "runner_stops", more: false } as const;

/**
 * The webhook attempts of this process. A message of Inngest adds its delivery to the fair queue, and
 * its run makes the attempt whose turn it is. A delivery over a limit waits in the fair queue, without
 * a slot of Inngest, and the run whose attempt ends makes its attempt.
 */
export class DeliverySlots {
  readonly #waiting = new FairQueue(deliveryLimits);
  readonly #openRuns: OpenRuns;
  #isStopped = false;

  constructor(openRuns: OpenRuns) {
    this.#openRuns = openRuns;
  }

  /** Adds the delivery of a message and makes the next attempt. */
  async start({ messageId, deliveryId }: DeliveryEvent): Promise<AttemptResult> {
    return this.#open(messageId, async () => {
      if (this.#isStopped) await recordDeliveriesEnqueued(db(), [deliveryId], false);
      if (this.#isStopped) return stopped;
      const delivery = await findDueDelivery(db(), deliveryId);
      if (delivery) this.#waiting.add(delivery);
      return this.#attempt(delivery ? "limit_reached" : "not_due");
    });
  }

  /** Makes a further attempt in the run of a message. */
  continue({ messageId }: DeliveryEvent): Promise<AttemptResult> {
    return this.#open(messageId, () => this.#attempt("nothing_waits"));
  }

  /** Takes one waiting delivery out, for another run. */
  passOn(): DueDelivery | undefined {
    const next = this.#waiting.take();
    next?.done();
    return next;
  }

  /** Makes no more attempts. The sweep enqueues the waiting deliveries again, for other runners. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const ids = this.#waiting.waiting.map(({ id }) => id);
    await recordDeliveriesEnqueued(db(), ids, false);
  }

  async #open(messageId: string, work: () => Promise<AttemptResult>): Promise<AttemptResult> {
    const close = this.#openRuns.open("delivery", messageId);
    return work().finally(close);
  }

  async #attempt(reason: string): Promise<AttemptResult> {
    if (this.#isStopped) return stopped;
    const next = this.#waiting.take();
    if (!next) return { reason, more: false };
    const report = await this.#deliver(next);
    const more = this.#waiting.hasNext && !this.#isStopped;
    return { ...(report ?? { reason: "not_due" }), more };
  }

  async #deliver(next: TakenDelivery): Promise<AttemptReport | undefined> {
    try {
      return await deliverWebhook(next.id, serializeNotification);
    } finally {
      next.done();
    }
  }
}
