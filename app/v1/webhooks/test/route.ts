import { keyed, routes } from "#lib/api/http/route.ts";
import { answerWebhookTest } from "#lib/api/webhooks.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  POST: keyed(answerWebhookTest),
});
