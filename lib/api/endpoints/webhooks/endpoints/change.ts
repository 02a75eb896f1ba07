import { changeEndpoint } from "#lib/webhooks/manage-endpoints.ts";
import { defineEndpoint } from "../../../definition/define-endpoint.ts";
import { parseWebhookUrl } from "../../../http/url-field.ts";
import { changedEndpoint, endpointId, endpointSchema, serializeEndpoint } from "./endpoint-body.ts";

export const changeWebhookEndpoint = defineEndpoint({
  method: "PATCH",
  path: "/v1/webhooks/endpoints/{id}",
  operationId: "changeWebhookEndpoint",
  tag: "Webhooks",
  summary: "Change, disable or enable a webhook endpoint.",
  description:
    "Fields that are not sent stay. Webhooks that wait for their next attempt go to a new URL; they are given up when the endpoint is disabled.",
  access: "apiKey",
  scope: "webhooks:write",
  params: endpointId,
  body: { kind: "json", schema: changedEndpoint, example: { enabled: true, events: ["job.*"] } },
  responses: { 200: { description: "The endpoint.", body: endpointSchema } },
  errors: ["invalid_parameter", "not_found"],
  async handler({ account, params, body: { url: given, ...settings } }) {
    const url = given === undefined ? {} : { url: await parseWebhookUrl("url", given, account.id) };
    return serializeEndpoint(await changeEndpoint(account.id, params.id, { ...settings, ...url }));
  },
});
