import { keyed, routes } from "#lib/api/http/route.ts";
import { answerRetry } from "#lib/api/steer.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  POST: keyed(answerRetry, { createsWork: true }),
});
