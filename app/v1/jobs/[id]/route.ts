import { keyed, routes } from "#lib/api/http/route.ts";
import { answerJob } from "#lib/api/read-jobs.ts";
import { answerDelete } from "#lib/api/steer.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: keyed(answerJob),
  DELETE: keyed(answerDelete),
});
