import { routes } from "#lib/api/http/route.ts";
import { answerAuth } from "#lib/api/next-auth.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: answerAuth,
  POST: answerAuth,
});
