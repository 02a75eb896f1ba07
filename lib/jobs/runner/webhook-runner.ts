import { db } from "#lib/db/client.ts";
import { listDueDeliveries, readNextDelivery } from "#lib/db/queries/webhooks/deliveries.ts";
import { onWorkAvailable } from "#lib/queue/work-available.ts";
import type { AttemptOptions } from "#lib/webhooks/attempt.ts";
import { deliverWebhook } from "#lib/webhooks/deliver.ts";
import { times } from "#times";
import { serializeNotification } from "../view/notification.ts";
import { DeliveryQueue, type DeliveryQueueLimits } from "./delivery-queue.ts";
import { DueTimer } from "./due-timer.ts";
import type { Runner } from "./media-runner.ts";
import { WorkerLoop } from "./worker-loop.ts";

/** Concurrent attempts in total. There can be many, because an attempt mostly waits for its receiver. */
export const webhookConcurrency = 400;
/** Concurrent attempts of one account: to one endpoint (a full URL), to one host, and in total. */
export const deliveryLimits: DeliveryQueueLimits = { endpoint: 20, host: 60, account: 100 };

/** While deliveries wait for their turn, the next read may find more than the last one could return. */
const rereadSeconds = 2;

/** Delivers webhooks of the embedded queue until stopped. An interrupted attempt is made again. */
export async function startWebhookRunner(options: AttemptOptions = {}): Promise<Runner> {
  const waiting = new DeliveryQueue(deliveryLimits);
  const loop = new WorkerLoop(webhookConcurrency, async (onMore) => {
    const next = waiting.take();
    if (!next) return;
    onMore();
    try {
      await deliverWebhook(next.id, serializeNotification, options);
    } finally {
      next.done();
      onMore();
    }
  });
  const timer = new DueTimer(async () => {
    const next = await readNextDelivery(db());
    if (!next?.isDue) return next?.seconds ?? null;
    for (const delivery of await listDueDeliveries(db())) {
      if (waiting.add(delivery)) loop.wake();
    }
    return rereadSeconds;
  }, times.pollMs);
  const stopListening = await onWorkAvailable(
    ({ kind, delaySeconds }) => {
      if (kind === "delivery") timer.schedule(delaySeconds);
    },
    () => timer.schedule(0),
  );
  return {
    isWorking: () => true,
    async stop() {
      timer.stop();
      loop.stop();
      await stopListening();
      await loop.waitUntilIdle();
    },
  };
}
