import { z } from "zod";
import { listOwnEndpoints } from "#lib/webhooks/manage-endpoints.ts";
import { defineEndpoint } from "../../../definition/define-endpoint.ts";
import { endpointSchema, serializeEndpoint } from "./endpoint-body.ts";

export const listWebhookEndpoints = defineEndpoint({
  method: "GET",
  path: "/v1/webhooks/endpoints",
  operationId: "listWebhookEndpoints",
  tag: "Webhooks",
  summary: "List the webhook endpoints, newest first.",
  access: "apiKey",
  scope: "webhooks:read",
  responses: {
    200: {
      description: "The endpoints, without their secrets.",
      body: z.object({ data: z.array(endpointSchema) }),
    },
  },
  async handler({ account }) {
    return { data: (await listOwnEndpoints(account.id)).map(serializeEndpoint) };
  },
});
