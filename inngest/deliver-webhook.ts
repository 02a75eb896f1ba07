import type { Inngest } from "inngest";
import { db } from "#lib/db/client.ts";
import { createToken } from "#lib/ids.ts";
import { queue } from "#lib/queue/index.ts";
import { type DeliveryEvent, endsWhenLost, eventNames } from "#lib/queue/inngest.ts";
import type { AttemptResult, DeliverySlots } from "./delivery-slots.ts";
import { stepReporting } from "./step-reporting.ts";

/** A run has at most 1,000 steps and a request lasts at most two hours. An attempt takes up to 15 s. */
const maxAttempts = 200;

/**
 * The function that makes webhook attempts. The next attempt of a delivery is another, delayed event.
 * The limits of endpoints and accounts are those of the fair queue in `slots`, not of Inngest: there, a
 * backlog that is over its limit delays the others.
 */
export function createDeliverWebhook(client: Inngest, slots: DeliverySlots) {
  return client.createFunction(
    {
      id: "deliver-webhook",
      triggers: [{ event: eventNames.delivery }],
      cancelOn: endsWhenLost,
      // For failures of this service. Failures of the receiver are counted on the delivery.
      retries: 3,
      checkpointing: stepReporting,
    },
    async ({ event, step }) => {
      // Only lib/queue/inngest.ts sends events of this name.
      const message = event.data as DeliveryEvent;
      const attempts: Omit<AttemptResult, "more">[] = [];
      while (true) {
        const isFirst = attempts.length === 0;
        const { more, ...attempt } = await step.run("attempt", () =>
          isFirst ? slots.start(message) : slots.continue(message),
        );
        attempts.push(attempt);
        if (!more) return { attempts };
        if (attempts.length >= maxAttempts) break;
      }
      await step.run("pass on", () => passOn(slots));
      return { attempts };
    },
  );
}

async function passOn(slots: DeliverySlots): Promise<void> {
  const delivery = slots.passOn();
  if (!delivery) return;
  const { id: deliveryId, accountId, url } = delivery;
  const dedupeKey = `again-${createToken()}`;
  const message = { deliveryId, accountId, url, dedupeKey, delaySeconds: 0 };
  await (await (await queue()).enqueueDelivery(db(), message))();
}
