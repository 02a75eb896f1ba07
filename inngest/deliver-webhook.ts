import type { Inngest } from "inngest";
import { deliveryLimits } from "#lib/jobs/runner/webhook-runner.ts";
import { serializeNotification } from "#lib/jobs/view/notification.ts";
import { type DeliveryEvent, eventNames } from "#lib/queue/inngest.ts";
import { deliverWebhook } from "#lib/webhooks/deliver.ts";

/** The function that makes one webhook attempt. The next attempt is another, delayed event. */
export function createDeliverWebhook(client: Inngest) {
  return client.createFunction(
    {
      id: "deliver-webhook",
      triggers: [{ event: eventNames.delivery }],
      // For failures of this service. Failures of the receiver are counted on the delivery.
      retries: 3,
      // A dead endpoint, or an account with many deliveries, leaves slots to the others.
      concurrency: [
        { limit: deliveryLimits.endpoint, key: "event.data.accountId + ' ' + event.data.endpoint" },
        { limit: deliveryLimits.account, key: "event.data.accountId" },
      ],
    },
    async ({ event, step }) => {
      // Only lib/queue/inngest.ts sends events of this name.
      const { deliveryId } = event.data as DeliveryEvent;
      await step.run("attempt", () => deliverWebhook(deliveryId, serializeNotification));
    },
  );
}
