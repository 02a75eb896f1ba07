import { rotateEndpointSecret } from "#lib/webhooks/manage-endpoints.ts";
import { defineEndpoint } from "../../../definition/define-endpoint.ts";
import { endpointId, endpointWithSecretSchema, serializeWithSecret } from "./endpoint-body.ts";

export const rotateWebhookEndpointSecret = defineEndpoint({
  method: "POST",
  path: "/v1/webhooks/endpoints/{id}/rotate-secret",
  operationId: "rotateWebhookEndpointSecret",
  tag: "Webhooks",
  summary: "Replace the secret of a webhook endpoint.",
  description: "For 24 hours, the previous secret signs as well. The new one is shown once.",
  access: "apiKey",
  scope: "webhooks:write",
  params: endpointId,
  responses: {
    200: { description: "The endpoint, with its new secret.", body: endpointWithSecretSchema },
  },
  errors: ["not_found"],
  async handler({ account, params }) {
    return serializeWithSecret(await rotateEndpointSecret(account.id, params.id));
  },
});
