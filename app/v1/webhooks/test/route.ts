import { keyed, routes } from "#lib/api/route.ts";
import { answerWebhookTest } from "#lib/api/webhooks.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  POST: keyed(answerWebhookTest),
});
