import { EmbeddedQueue, queueNames } from "#lib/queue/embedded.ts";
import { adoptQueue } from "#lib/queue/index.ts";
import { deliverWebhook } from "#lib/webhooks/deliver.ts";
import type { Runner } from "./media-runner.ts";
import { describeNotification } from "./notification.ts";

/** Attempts made at once; each waits for a receiver, not for this machine. */
const concurrency = 100;

/** Delivers webhooks from the embedded queue until stopped. An attempt that is cut short is made again. */
export async function startWebhookRunner(): Promise<Runner> {
  const opened = await EmbeddedQueue.open({ worker: true });
  adoptQueue(opened);
  const running = new Set<Promise<void>>();
  await opened.work<{ deliveryId: string }>(
    queueNames.delivery,
    concurrency,
    async ({ deliveryId }) => {
      const attempt = deliverWebhook(deliveryId, describeNotification);
      running.add(attempt);
      await attempt.finally(() => running.delete(attempt));
    },
  );
  return {
    async stop() {
      await opened.stopWork(queueNames.delivery);
      await Promise.allSettled(running);
      await opened.close();
    },
  };
}
