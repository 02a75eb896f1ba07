import { EmbeddedQueue, queueNames } from "#lib/queue/embedded.ts";
import { adoptQueue } from "#lib/queue/index.ts";
import { deliverWebhook } from "#lib/webhooks/deliver.ts";
import type { Runner } from "./media-runner.ts";
import { describeNotification } from "./notification.ts";
import { Pump } from "./pump.ts";

/** Attempts made at once; each waits for a receiver, not for this machine. */
const concurrency = 200;

/** Delivers webhooks from the embedded queue until stopped. An attempt that is cut short is made again. */
export async function startWebhookRunner(): Promise<Runner> {
  const opened = await EmbeddedQueue.open({ worker: true });
  adoptQueue(opened);
  const waiting: string[] = [];
  const pump = new Pump(concurrency, async (taken) => {
    const deliveryId = waiting.shift();
    if (!deliveryId) return false;
    taken();
    await deliverWebhook(deliveryId, describeNotification);
    return true;
  });
  // The row is the truth: a ticket that is lost with this process is announced again by the sweep.
  await opened.work<{ deliveryId: string }>(queueNames.delivery, async (tickets) => {
    waiting.push(...tickets.map((ticket) => ticket.deliveryId));
    pump.wake();
  });
  return {
    async stop() {
      pump.stop();
      await opened.stopWork(queueNames.delivery);
      await pump.idle();
      await opened.close();
    },
  };
}
