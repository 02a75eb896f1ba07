import { answerOutput } from "#lib/api/outputs.ts";
import { keyed, routes } from "#lib/api/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: keyed(answerOutput),
});
