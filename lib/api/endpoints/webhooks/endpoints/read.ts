import { readEndpoint } from "#lib/webhooks/manage-endpoints.ts";
import { defineEndpoint } from "../../../definition/define-endpoint.ts";
import { endpointId, endpointSchema, serializeEndpoint } from "./endpoint-body.ts";

export const readWebhookEndpoint = defineEndpoint({
  method: "GET",
  path: "/v1/webhooks/endpoints/{id}",
  operationId: "readWebhookEndpoint",
  tag: "Webhooks",
  summary: "Read a webhook endpoint.",
  access: "apiKey",
  scope: "webhooks:read",
  params: endpointId,
  responses: { 200: { description: "The endpoint, without its secret.", body: endpointSchema } },
  errors: ["not_found"],
  async handler({ account, params }) {
    return serializeEndpoint(await readEndpoint(account.id, params.id));
  },
});
