import { setTimeout as wait } from "node:timers/promises";
import { Inngest } from "inngest";
import { db } from "#lib/db/client.ts";
import { recordDeliveryHandOver, recordJobHandOver } from "#lib/db/queries/jobs/enqueueing.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import type { AfterCommit, DeliveryMessage, JobMessage, Queue } from "./port.ts";

/** Names of the events. The first three each start a function of `inngest/`, the last ends its run. */
export const eventNames = {
  fetch: "mediamill/job.fetch",
  run: "mediamill/job.run",
  delivery: "mediamill/webhook.deliver",
  cancelled: "mediamill/job.cancelled",
} as const;

/** Data of the events that announce a job. */
export interface JobEvent {
  readonly jobId: string;
  readonly accountId: string;
  readonly plan: JobMessage["plan"];
  /** Spreads a business account over four concurrency keys of five: twenty jobs at once. */
  readonly slot: number;
}

/** Data of the event that announces a webhook's attempt. */
export interface DeliveryEvent {
  readonly deliveryId: string;
  readonly accountId: string;
  /** The host and port that it goes to. */
  readonly receiver: string;
}

const slots = 4;

/** How long is waited for Inngest to take an event; what takes longer goes on beside it. */
const patienceMs = 3000;

/**
 * An Inngest client; every app (web, media, webhooks) has its own id, so that a function lives in one.
 * Without keys, which only a development server does without, nothing is signed either way.
 */
export function createInngest(id: string): Inngest {
  return new Inngest({
    id,
    ...(env.INNGEST_BASE_URL ? { baseUrl: env.INNGEST_BASE_URL } : {}),
    ...(env.INNGEST_EVENT_KEY ? { eventKey: env.INNGEST_EVENT_KEY } : {}),
    ...(env.INNGEST_SIGNING_KEY ? { signingKey: env.INNGEST_SIGNING_KEY } : {}),
    // Said outright: else the SDK would guess from other variables of the environment.
    isDev: !env.INNGEST_SIGNING_KEY,
    aiMetadata: false,
    logger: log.child({ component: "inngest" }),
  });
}

/**
 * The queue under Inngest. An event cannot take part in a transaction: it is sent after the commit,
 * the row remembers where it was not taken, and the sweep sends it again.
 */
export class InngestQueue implements Queue {
  readonly #client = createInngest("mediamill-web");

  async announceJob(_tx: unknown, ticket: JobMessage): Promise<AfterCommit> {
    const { jobId, accountId, plan, stage } = ticket;
    const data: JobEvent = { jobId, accountId, plan, slot: slotOf(jobId) };
    return this.#announcement(
      { id: `${jobId}:${ticket.round}`, name: eventNames[stage], data: { ...data } },
      ticket.delaySeconds,
      () => recordJobHandOver(db(), jobId, false),
    );
  }

  async announceDelivery(_tx: unknown, ticket: DeliveryMessage): Promise<AfterCommit> {
    const { deliveryId, accountId } = ticket;
    const receiver = URL.parse(ticket.url)?.host ?? "";
    const data: DeliveryEvent = { deliveryId, accountId, receiver };
    return this.#announcement(
      { id: `${deliveryId}:${ticket.round}`, name: eventNames.delivery, data: { ...data } },
      ticket.delaySeconds,
      () => recordDeliveryHandOver(db(), deliveryId, false),
    );
  }

  withdrawJob(jobId: string): AfterCommit {
    const event = { id: `${jobId}:cancelled`, name: eventNames.cancelled, data: { jobId } };
    return this.#announcement(event, 0, async () => {});
  }

  async close(): Promise<void> {}

  /** Sends `event`, whose id Inngest drops if it has seen it in the last 24 hours. */
  #announcement(
    event: { id: string; name: string; data: Record<string, unknown> },
    delaySeconds: number,
    onRefused: () => Promise<void>,
  ): AfterCommit {
    return async () => {
      const delay = delaySeconds > 0 ? { ts: Date.now() + Math.ceil(delaySeconds * 1000) } : {};
      const sending = this.#client.send({ ...event, ...delay }).then(
        () => true,
        async (err) => {
          const { jobId: job } = event.data;
          log.warn(
            { err, job, event: event.id },
            "Inngest did not take an event; it is sent again",
          );
          await onRefused().catch((cause) => log.warn({ err: cause }, "a hand-over was not noted"));
          return false;
        },
      );
      return Promise.race([sending, wait(patienceMs, false, { ref: false })]);
    };
  }
}

function slotOf(jobId: string): number {
  return jobId.charCodeAt(jobId.length - 1) % slots;
}
