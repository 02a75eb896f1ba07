import type { Inngest } from "inngest";
import { deliveryLimits } from "#lib/jobs/runner/webhook-runner.ts";
import { describeNotification } from "#lib/jobs/view/notification.ts";
import { type DeliveryEvent, eventNames } from "#lib/queue/inngest.ts";
import { deliverWebhook } from "#lib/webhooks/deliver.ts";

/** The function that makes one attempt of a webhook; the next one is an event with a later time. */
export function createDeliverWebhook(client: Inngest) {
  return client.createFunction(
    {
      id: "deliver-webhook",
      triggers: [{ event: eventNames.delivery }],
      // Of failures that are not the receiver's: those are counted on the delivery.
      retries: 3,
      // A dead receiver, or an account with many, leaves places to the others.
      concurrency: [
        { limit: deliveryLimits.receiver, key: "event.data.accountId + ' ' + event.data.receiver" },
        { limit: deliveryLimits.account, key: "event.data.accountId" },
      ],
    },
    async ({ event, step }) => {
      // Events of this name are sent by lib/queue/inngest.ts alone.
      const { deliveryId } = event.data as DeliveryEvent;
      await step.run("attempt", () => deliverWebhook(deliveryId, describeNotification));
    },
  );
}
