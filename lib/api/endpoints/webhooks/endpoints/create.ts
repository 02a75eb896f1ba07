import { createEndpoint, maxEndpoints } from "#lib/webhooks/manage-endpoints.ts";
import { defineEndpoint } from "../../../definition/define-endpoint.ts";
import { parseWebhookUrl } from "../../../http/url-field.ts";
import { endpointWithSecretSchema, newEndpoint, serializeWithSecret } from "./endpoint-body.ts";

export const createWebhookEndpoint = defineEndpoint({
  method: "POST",
  path: "/v1/webhooks/endpoints",
  operationId: "createWebhookEndpoint",
  tag: "Webhooks",
  summary: "Create a webhook endpoint: a URL that gets the events that you choose.",
  description: `Its secret is shown once. Each event is sent to each endpoint that has chosen it, and retried as webhooks are. An endpoint that answers 410 is disabled at once, one that fails for five days then. An account has at most ${maxEndpoints} endpoints.`,
  access: "apiKey",
  scope: "webhooks:write",
  body: {
    kind: "json",
    schema: newEndpoint,
    example: {
      url: "https://example.com/hooks/mediamill",
      events: ["job.completed", "job.failed"],
      description: "Orders",
    },
  },
  responses: {
    201: { description: "The endpoint, with its secret.", body: endpointWithSecretSchema },
  },
  errors: ["invalid_parameter", "conflict"],
  async handler({ account, body }) {
    const url = await parseWebhookUrl("url", body.url, account.id);
    return serializeWithSecret(await createEndpoint(account.id, { ...body, url }));
  },
});
