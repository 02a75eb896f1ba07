import { db } from "#lib/db/client.ts";
import {
  type DueDelivery,
  findDueDeliveries,
  listDueDeliveries,
} from "#lib/db/queries/webhooks/deliveries.ts";
import { log } from "#lib/log.ts";
import { EmbeddedQueue, queueNames } from "#lib/queue/embedded.ts";
import { adoptQueue } from "#lib/queue/index.ts";
import { type AttemptOptions, deliverWebhook } from "#lib/webhooks/deliver.ts";
import { times } from "#times";
import { serializeNotification } from "../view/notification.ts";
import { FairQueue } from "./fair-queue.ts";
import type { Runner } from "./media-runner.ts";
import { WorkerLoop } from "./worker-loop.ts";

/** Concurrent attempts in total. There can be many, because an attempt mostly waits for its receiver. */
export const webhookConcurrency = 400;
/** Concurrent attempts to one receiver, and of one account. */
export const deliveryLimits = { receiver: 20, account: 100 };

/** An attempt that has been due for longer than any message takes to arrive. */
const overdueSeconds = 3;

/** Delivers webhooks of the embedded queue until stopped. An interrupted attempt is made again. */
export async function startWebhookRunner(options: AttemptOptions = {}): Promise<Runner> {
  const queue = await EmbeddedQueue.open({ worker: true });
  adoptQueue(queue);
  const waiting = new FairQueue(deliveryLimits);
  const loop = new WorkerLoop(webhookConcurrency, async (onFound) => {
    const next = waiting.take();
    if (!next) return false;
    onFound();
    try {
      await deliverWebhook(next.id, serializeNotification, options);
    } finally {
      next.done();
    }
    return true;
  });
  const add = (due: readonly DueDelivery[]) => {
    for (const delivery of due) if (waiting.add(delivery)) loop.wake();
  };
  await queue.work<{ deliveryId: string }>(queueNames.delivery, async (messages) => {
    const ids = messages.map((message) => message.deliveryId);
    add(await findDueDeliveries(db(), ids));
  });
  // Messages and attempts are lost with the runner that received them. The rows are not.
  const polling = setInterval(() => {
    const added = listDueDeliveries(db(), overdueSeconds).then(add);
    added.catch((err) => log.warn({ err }, "polling for due webhooks failed"));
  }, times.pollMs);
  return {
    isWorking: () => true,
    async stop() {
      clearInterval(polling);
      loop.stop();
      await queue.stopWork(queueNames.delivery);
      await loop.waitUntilIdle();
      await queue.close();
    },
  };
}
