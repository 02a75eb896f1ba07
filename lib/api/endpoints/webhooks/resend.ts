import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import { resendDelivery as resend } from "#lib/webhooks/deliveries.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { deliveryId, deliverySchema, manualSendLimit, serializeDelivery } from "./delivery.ts";

export const resendDelivery = defineEndpoint({
  method: "POST",
  path: "/v1/webhooks/deliveries/{id}/resend",
  operationId: "resendDelivery",
  tag: "Webhooks",
  summary: "Send a webhook again, with the same webhook-id.",
  description: `It is retried like the first time; a test event, a sample and a replay have one attempt. ${manualSendLimit}`,
  access: "apiKey",
  scope: "webhooks:write",
  params: z.strictObject({ id: deliveryId }),
  responses: { 202: { description: "The delivery, due now.", body: deliverySchema } },
  errors: ["conflict", "rate_limited"],
  async handler({ account, params }) {
    const delivery = await resend(account.id, params.id);
    if (!delivery) throw new RequestError("not_found", "There is no such delivery.");
    return serializeDelivery(delivery);
  },
});
