import { keyed, routes } from "#lib/api/http/route.ts";
import { answerCancel } from "#lib/api/steer.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  POST: keyed(answerCancel),
});
