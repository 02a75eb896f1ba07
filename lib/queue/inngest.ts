import { Inngest } from "inngest";
import { db } from "#lib/db/client.ts";
import { recordDeliveriesEnqueued, recordJobsEnqueued } from "#lib/db/queries/jobs/enqueueing.ts";
import { waitAtMost } from "#lib/deadline.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { beforeExit } from "#lib/stopping.ts";
import { HeldMessages } from "./held-messages.ts";
import type { AfterCommit, Announcement, DeliveryMessage, JobMessage, Queue } from "./port.ts";
import { wakeClaimingRuns } from "./work-available.ts";

/** Names of the events. The first three each start a function of `inngest/`, the last one ends its run. */
export const eventNames = {
  fetch: "mediamill/job.fetch",
  run: "mediamill/job.run",
  delivery: "mediamill/webhook.deliver",
  lost: "mediamill/run.lost",
} as const;

/** Ends the run of a message whose process vanished. */
export const endsWhenLost = [
  { event: eventNames.lost, if: "event.data.messageId == async.data.messageId" },
];

/** Data of the events that enqueue a job. */
export interface JobEvent {
  /** The id of the event. */
  readonly messageId: string;
  readonly jobId: string;
  readonly accountId: string;
  readonly plan: JobMessage["plan"];
}

/** Data of the event that enqueues a webhook attempt. */
export interface DeliveryEvent {
  readonly messageId: string;
  readonly deliveryId: string;
  readonly accountId: string;
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

/** An event as it is sent. Inngest drops an event whose id it has received in the last 24 hours. */
interface OutgoingEvent {
  readonly id: string;
  readonly name: string;
  readonly data: Record<string, unknown>;
  /** Milliseconds since the epoch: functions start at this time at the earliest. */
  readonly ts?: number;
}

/** Events of one request. Inngest accepts up to 5,000. */
const maxEvents = 500;

const delayed = (seconds: number) =>
  seconds > 0 ? { ts: Date.now() + Math.ceil(seconds * 1000) } : {};

function jobEvent({ jobId, accountId, plan, stage, ...message }: JobMessage): OutgoingEvent {
  const messageId = `${jobId}:${message.dedupeKey}`;
  const data: JobEvent = { messageId, jobId, accountId, plan };
  const name = eventNames[stage];
  return { id: messageId, name, data: { ...data }, ...delayed(message.delaySeconds) };
}

function deliveryEvent({ deliveryId, accountId, ...message }: DeliveryMessage): OutgoingEvent {
  const messageId = `${deliveryId}:${message.dedupeKey}`;
  const data: DeliveryEvent = { messageId, deliveryId, accountId };
  const name = eventNames.delivery;
  return { id: messageId, name, data: { ...data }, ...delayed(message.delaySeconds) };
}

/**
 * The queue under Inngest. An event cannot take part in a transaction. It is sent after the commit. If
 * that fails, the row records it and the sweep sends the event again.
 */
export class InngestQueue implements Queue {
  readonly #client = createInngest("mediamill-web");
  readonly #held = new HeldMessages({
    countSlots: wakeClaimingRuns,
    send: (messages) => this.#sendJobs(messages)(),
  });

  constructor() {
    beforeExit(() => this.#held.flush());
  }

  announceJob(message: JobMessage): Announcement {
    return { wakes: null, afterCommit: () => this.#sendJob(message) };
  }

  async enqueueJob(_tx: unknown, message: JobMessage): Promise<AfterCommit> {
    return () => this.#sendJob(message);
  }

  enqueueDelivery(tx: unknown, message: DeliveryMessage): Promise<AfterCommit> {
    return this.enqueueDeliveries(tx, [message]);
  }

  async enqueueJobs(_tx: unknown, messages: readonly JobMessage[]): Promise<AfterCommit> {
    return this.#sendJobs(messages);
  }

  /**
   * Sends no message if runs claim the job without one: a run for each job would cost the server more than
   * most jobs cost the runner. Called after the commit of the job, and such a run ends with a claim after
   * its report, so one of both sees the other.
   */
  #sendJob(message: JobMessage): Promise<boolean> {
    return message.delaySeconds > 0 ? this.#sendJobs([message])() : this.#held.add(message);
  }

  #sendJobs(messages: readonly JobMessage[]): AfterCommit {
    const ids = messages.map(({ jobId }) => jobId);
    const onFailure = () => recordJobsEnqueued(db(), ids, false);
    return () => this.#send(messages.map(jobEvent), onFailure);
  }

  async enqueueDeliveries(
    _tx: unknown,
    messages: readonly DeliveryMessage[],
  ): Promise<AfterCommit> {
    const ids = messages.map(({ deliveryId }) => deliveryId);
    const onFailure = () => recordDeliveriesEnqueued(db(), ids, false);
    return () => this.#send(messages.map(deliveryEvent), onFailure);
  }

  endRuns(messageIds: readonly string[]): Promise<boolean> {
    const events = messageIds.map((messageId) => ({
      id: `${messageId}:lost-${Date.now()}`,
      name: eventNames.lost,
      data: { messageId },
    }));
    return this.#send(events, async () => {});
  }

  /** Sends events. Returns false if Inngest has not accepted all of them in time. */
  async #send(
    events: readonly OutgoingEvent[],
    onFailure: () => Promise<unknown>,
  ): Promise<boolean> {
    if (events.length === 0) return true;
    const sending = this.#sendAll(events).then(
      () => true,
      async (err) => {
        const [first] = events;
        const fields = { job: first?.data.jobId, event: first?.id, events: events.length };
        log.warn({ err, ...fields }, "Inngest events rejected; the sweep sends them again");
        await onFailure().catch((cause) =>
          log.warn({ err: cause, ...fields }, "enqueueing failure not recorded"),
        );
        return false;
      },
    );
    return (await waitAtMost(sending, sendTimeoutMs)) ?? false;
  }

  async #sendAll(events: readonly OutgoingEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += maxEvents) {
      await this.#client.send(events.slice(from, from + maxEvents));
    }
  }
}
