import { answerArchive } from "#lib/api/archive.ts";
import { keyed, routes } from "#lib/api/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: keyed(answerArchive),
});
