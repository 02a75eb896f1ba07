import { Inngest } from "inngest";
import { db } from "#lib/db/client.ts";
import { markHandedOver } from "#lib/db/queries/jobs.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import type { AfterCommit, DeliveryTicket, JobTicket, Queue } from "./port.ts";

/** Names of the events; each starts one function of `inngest/`. */
export const eventNames = { job: "job/announced", delivery: "webhook/announced" } as const;

/** Data of the `job/announced` event. */
export interface JobEvent {
  readonly jobId: string;
  readonly accountId: string;
  readonly plan: JobTicket["plan"];
  /** Spreads a business account over four concurrency keys of five: twenty jobs at once. */
  readonly slot: number;
}

/** An Inngest client; every app (web, media, webhooks) has its own id, so that a function lives in one. */
export function createInngest(id: string): Inngest {
  return new Inngest({
    id,
    ...(env.INNGEST_BASE_URL ? { baseUrl: env.INNGEST_BASE_URL } : {}),
    ...(env.INNGEST_EVENT_KEY ? { eventKey: env.INNGEST_EVENT_KEY } : {}),
    ...(env.INNGEST_SIGNING_KEY ? { signingKey: env.INNGEST_SIGNING_KEY } : {}),
    isDev: false,
  });
}

/**
 * The queue under Inngest. An event cannot take part in a transaction: it is sent after the commit,
 * the row remembers that it was, and the sweep sends again what was not.
 */
export class InngestQueue implements Queue {
  readonly #client = createInngest("mediamill-web");

  async announceJob(_tx: unknown, ticket: JobTicket): Promise<AfterCommit> {
    return async () => {
      const { jobId, accountId, plan } = ticket;
      const data: JobEvent = { jobId, accountId, plan, slot: slotOf(jobId) };
      const sent = await this.#send({
        // Inngest drops an event whose id it has seen in the last 24 hours.
        id: `${jobId}:${ticket.round}`,
        name: eventNames.job,
        data: { ...data },
        ...(ticket.delaySeconds > 0 ? { ts: Date.now() + ticket.delaySeconds * 1000 } : {}),
      });
      if (sent) await markHandedOver(db(), jobId);
    };
  }

  async announceDelivery(_tx: unknown, ticket: DeliveryTicket): Promise<AfterCommit> {
    return async () => {
      await this.#send({
        id: `${ticket.deliveryId}:${ticket.round}`,
        name: eventNames.delivery,
        data: { deliveryId: ticket.deliveryId, accountId: ticket.accountId },
        ...(ticket.delaySeconds > 0 ? { ts: Date.now() + ticket.delaySeconds * 1000 } : {}),
      });
    };
  }

  async close(): Promise<void> {}

  /** A server that is away fails nobody's request: what was accepted is stored and announced later. */
  async #send(event: Parameters<Inngest["send"]>[0]): Promise<boolean> {
    try {
      await this.#client.send(event);
      return true;
    } catch (err) {
      log.warn({ err }, "Inngest did not take an event; the sweep will send it again");
      return false;
    }
  }
}

function slotOf(jobId: string): number {
  return jobId.charCodeAt(jobId.length - 1) % 4;
}
