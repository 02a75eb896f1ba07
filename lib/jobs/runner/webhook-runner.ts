import { db } from "#lib/db/client.ts";
import {
  type DueDelivery,
  findDueDeliveries,
  listLateDeliveries,
} from "#lib/db/queries/webhooks/deliveries.ts";
import { log } from "#lib/log.ts";
import { EmbeddedQueue, queueNames } from "#lib/queue/embedded.ts";
import { adoptQueue } from "#lib/queue/index.ts";
import { type AttemptOptions, deliverWebhook } from "#lib/webhooks/deliver.ts";
import { times } from "#times";
import { describeNotification } from "../view/notification.ts";
import { DeliveryLanes } from "./fair-queue.ts";
import type { Runner } from "./media-runner.ts";
import { Pump } from "./worker-loop.ts";

/** Attempts made at once in all, and of those to one receiver and of one account: each waits for them, not for this machine. */
export const webhookConcurrency = 400;
export const deliveryLimits = { receiver: 20, account: 100 };

/** Delivers webhooks from the embedded queue until stopped. An attempt that is cut short is made again. */
export async function startWebhookRunner(options: AttemptOptions = {}): Promise<Runner> {
  const opened = await EmbeddedQueue.open({ worker: true });
  adoptQueue(opened);
  const lanes = new DeliveryLanes(deliveryLimits);
  const pump = new Pump(webhookConcurrency, async (taken) => {
    const next = lanes.take();
    if (!next) return false;
    taken();
    try {
      await deliverWebhook(next.id, describeNotification, options);
    } finally {
      next.done();
    }
    return true;
  });
  const add = (due: readonly DueDelivery[]) => {
    for (const one of due) if (lanes.add(one)) pump.wake();
  };
  await opened.work<{ deliveryId: string }>(queueNames.delivery, async (tickets) => {
    const ids = tickets.map((ticket) => ticket.deliveryId);
    add(await findDueDeliveries(db(), ids));
  });
  // The row is the truth: tickets are lost with the runner that took them, and so are attempts.
  const looking = setInterval(() => {
    const late = listLateDeliveries(db(), lateSeconds).then(add);
    late.catch((err) => log.warn({ err }, "webhooks could not be looked for"));
  }, times.lookMs);
  return {
    isWorking: () => true,
    async stop() {
      clearInterval(looking);
      pump.stop();
      await opened.stopWork(queueNames.delivery);
      await pump.idle();
      await opened.close();
    },
  };
}

/** Later than any ticket comes. */
const lateSeconds = 3;
