import { answerOperations } from "#lib/api/catalogue.ts";
import { routes, unkeyed } from "#lib/api/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: unkeyed(answerOperations),
});
