import type { Inngest } from "inngest";
import { type DeliveryEvent, endsWhenLost, eventNames } from "#lib/queue/inngest.ts";
import type { AttemptResult, DeliverySlots } from "./delivery-slots.ts";
import { stepReporting } from "./step-reporting.ts";

/**
 * The function that makes webhook attempts. A step reports each of them; a run without one has no step.
 * The next attempt of a delivery is another, delayed event.
 * The limits of endpoints and accounts are those of the delivery queue in `slots`, not of Inngest: there, a
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
      const attempts: AttemptResult[] = [];
      let next = await slots.start(message);
      while (typeof next !== "string") {
        const { delivery, result } = next;
        // With the delivery's id: in the run's next call, the attempts may be others.
        const options = { id: `${attempts.length}-${delivery}`, name: "attempt" };
        attempts.push(await step.run(options, () => result));
        next = await next.next;
      }
      slots.forget(message.messageId);
      return { attempts, ended: next };
    },
  );
}
