import { answerEvents } from "#lib/api/events.ts";
import { keyed, routes } from "#lib/api/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: keyed(answerEvents),
});
