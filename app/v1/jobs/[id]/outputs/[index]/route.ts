import { keyed, routes } from "#lib/api/http/route.ts";
import { answerOutput } from "#lib/api/outputs.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: keyed(answerOutput),
});
