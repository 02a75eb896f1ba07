import { removeEndpoint } from "#lib/webhooks/manage-endpoints.ts";
import { defineEndpoint } from "../../../definition/define-endpoint.ts";
import { endpointId } from "./endpoint-body.ts";

export const deleteWebhookEndpoint = defineEndpoint({
  method: "DELETE",
  path: "/v1/webhooks/endpoints/{id}",
  operationId: "deleteWebhookEndpoint",
  tag: "Webhooks",
  summary: "Delete a webhook endpoint.",
  description: "Webhooks that wait for their next attempt are given up.",
  access: "apiKey",
  scope: "webhooks:write",
  params: endpointId,
  responses: { 204: { description: "The endpoint is deleted." } },
  errors: ["not_found"],
  async handler({ account, params }) {
    await removeEndpoint(account.id, params.id);
    return new Response(null, { status: 204 });
  },
});
