import { testEndpoint } from "#lib/webhooks/manage-endpoints.ts";
import { defineEndpoint } from "../../../definition/define-endpoint.ts";
import { deliverySchema, manualSendLimit, serializeDelivery } from "../delivery.ts";
import { endpointId } from "./endpoint-body.ts";

export const testWebhookEndpoint = defineEndpoint({
  method: "POST",
  path: "/v1/webhooks/endpoints/{id}/test",
  operationId: "testWebhookEndpoint",
  tag: "Webhooks",
  summary: "Send a test event to a webhook endpoint, also to one that is disabled.",
  description: `It is signed with the endpoint's secret and has one attempt. ${manualSendLimit}`,
  access: "apiKey",
  scope: "webhooks:write",
  params: endpointId,
  responses: { 202: { description: "The delivery, due now.", body: deliverySchema } },
  errors: ["not_found", "rate_limited"],
  async handler({ account, params }) {
    return serializeDelivery(await testEndpoint(account.id, params.id));
  },
});
