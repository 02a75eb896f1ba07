import { z } from "zod";
import { createTestDelivery } from "#lib/webhooks/deliveries.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { parseWebhookUrl, urlText } from "../../http/url-field.ts";
import { deliverySchema, manualSendLimit, serializeDelivery } from "./delivery.ts";

export const testWebhook = defineEndpoint({
  method: "POST",
  path: "/v1/webhooks/test",
  operationId: "testWebhook",
  tag: "Webhooks",
  summary: "Send a signed test event to a URL.",
  description: `It has one attempt. ${manualSendLimit}`,
  access: "apiKey",
  scope: "webhooks:write",
  body: {
    kind: "json",
    schema: z.strictObject({ url: urlText.describe("URL that receives the test event.") }),
    example: { url: "https://example.com/hooks/mediamill" },
  },
  responses: { 202: { description: "The delivery, due now.", body: deliverySchema } },
  errors: ["rate_limited"],
  async handler({ account, body }) {
    const url = await parseWebhookUrl("url", body.url, account.id);
    return serializeDelivery(await createTestDelivery(account.id, url));
  },
});
