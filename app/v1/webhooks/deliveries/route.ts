import { keyed, routes } from "#lib/api/http/route.ts";
import { answerDeliveries } from "#lib/api/webhooks.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: keyed(answerDeliveries),
});
