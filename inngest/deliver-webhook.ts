import type { Inngest } from "inngest";
import { describeNotification } from "#lib/jobs/notification.ts";
import { eventNames } from "#lib/queue/inngest.ts";
import { deliverWebhook } from "#lib/webhooks/deliver.ts";

/** The function that makes one attempt of a webhook; the next one is an event with a later time. */
export function createDeliverWebhook(client: Inngest) {
  return client.createFunction(
    { id: "deliver-webhook", triggers: [{ event: eventNames.delivery }], retries: 3 },
    async ({ event, step }) => {
      // Events of this name are sent by lib/queue/inngest.ts alone.
      const { deliveryId } = event.data as { deliveryId: string };
      await step.run("attempt", () => deliverWebhook(deliveryId, describeNotification));
    },
  );
}
