import { db } from "#lib/db/client.ts";
import { recordDeliveriesEnqueued } from "#lib/db/queries/jobs/enqueueing.ts";
import { findDueDelivery } from "#lib/db/queries/webhooks/deliveries.ts";
import { createToken } from "#lib/ids.ts";
import { DeliveryQueue, type TakenDelivery } from "#lib/jobs/runner/delivery-queue.ts";
import type { OpenRuns } from "#lib/jobs/runner/open-runs.ts";
import { deliveryLimits } from "#lib/jobs/runner/webhook-runner.ts";
import { serializeNotification } from "#lib/jobs/view/notification.ts";
import { log } from "#lib/log.ts";
import { queue } from "#lib/queue/index.ts";
import type { DeliveryEvent } from "#lib/queue/inngest.ts";
import { type AttemptReport, deliverWebhook } from "#lib/webhooks/deliver.ts";

/**
 * So many attempts are made for one message, so that runs stay readable, and a request lasts at most two
 * hours. An attempt takes up to 15 s.
 */
const maxAttempts = 50;

/** How long the attempts of a message are kept, in case Inngest calls its run again. */
const keptMs = 60_000;

/** Why no further attempt is made for a message. */
export type NoAttemptReason =
  | "not_due"
  | "limit_reached"
  | "nothing_waits"
  | "runner_stops"
  /** Another run goes on. */
  | "session_ends";

/** The result of an attempt; `not_due` if another runner has made it. */
export type AttemptResult = AttemptReport | { readonly reason: "not_due" };

/** An attempt that was started. The next one starts when it ends, and waits for no report. */
export interface StartedAttempt {
  readonly delivery: string;
  readonly result: Promise<AttemptResult>;
  readonly next: Promise<AttemptOrReason>;
}

type AttemptOrReason = StartedAttempt | NoAttemptReason;

/**
 * The webhook attempts of this process. A message of Inngest adds its delivery to the delivery queue, and
 * its run makes the attempt whose turn it is. A delivery over a limit waits in the delivery queue, without
 * a slot of Inngest, and the run whose attempt ends makes its attempt.
 */
export class DeliverySlots {
  readonly #waiting = new DeliveryQueue(deliveryLimits);
  readonly #openRuns: OpenRuns;
  readonly #started = new Map<string, Promise<AttemptOrReason>>();
  #isStopped = false;

  constructor(openRuns: OpenRuns) {
    this.#openRuns = openRuns;
  }

  /**
   * Adds the delivery of a message and starts the attempt whose turn it is, then those that wait. A
   * further call for the same message resolves with the same attempts, until `forget`.
   */
  start(message: DeliveryEvent): Promise<AttemptOrReason> {
    const { messageId } = message;
    const known = this.#started.get(messageId);
    if (known) return known;
    const first = this.#start(message);
    this.#started.set(messageId, first);
    const forget = () => this.forget(messageId);
    first.catch(forget);
    setTimeout(forget, keptMs).unref();
    return first;
  }

  /** The run of the message has ended. */
  forget(messageId: string): void {
    this.#started.delete(messageId);
  }

  async #start({ messageId, deliveryId }: DeliveryEvent): Promise<AttemptOrReason> {
    const close = this.#openRuns.open("delivery", messageId);
    try {
      if (this.#isStopped) await recordDeliveriesEnqueued(db(), [deliveryId], false);
      if (this.#isStopped) return "runner_stops";
      const delivery = await findDueDelivery(db(), deliveryId);
      if (delivery) this.#waiting.add(delivery);
      return this.#startNext(messageId, 1) ?? (delivery ? "limit_reached" : "not_due");
    } finally {
      close();
    }
  }

  /** Makes no more attempts. The sweep enqueues the waiting deliveries again, for other runners. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const ids = this.#waiting.waiting.map(({ id }) => id);
    await recordDeliveriesEnqueued(db(), ids, false);
  }

  /**
   * Starts the next attempt. Returns undefined if no delivery waits whose attempt may be made now.
   */
  #startNext(messageId: string, count: number): StartedAttempt | undefined {
    const attempt = this.#waiting.take();
    if (!attempt) return undefined;
    const close = this.#openRuns.open("delivery", messageId);
    const result = this.#deliver(attempt).finally(close);
    const next = result
      .catch((err) => log.error({ err, delivery_id: attempt.id }, "webhook attempt not made"))
      .then(() => this.#goOn(messageId, count + 1));
    return { delivery: attempt.id, result, next };
  }

  async #goOn(messageId: string, count: number): Promise<AttemptOrReason> {
    if (this.#isStopped) return "runner_stops";
    if (count <= maxAttempts) return this.#startNext(messageId, count) ?? "nothing_waits";
    await this.#passOn().catch((err) =>
      log.warn({ err }, "message not passed on; the sweep sends another one"),
    );
    return "session_ends";
  }

  /** Sends a message for one waiting delivery, for another run. */
  async #passOn(): Promise<void> {
    const attempt = this.#waiting.take();
    attempt?.done();
    if (!attempt) return;
    const { id: deliveryId, accountId, url } = attempt;
    const dedupeKey = `again-${createToken()}`;
    const message = { deliveryId, accountId, url, dedupeKey, delaySeconds: 0 };
    await (await (await queue()).enqueueDelivery(db(), message))();
  }

  async #deliver({ id, done }: TakenDelivery): Promise<AttemptResult> {
    try {
      return (await deliverWebhook(id, serializeNotification)) ?? { reason: "not_due" };
    } finally {
      done();
    }
  }
}
