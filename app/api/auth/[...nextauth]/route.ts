import { answerAuth } from "#lib/api/next-auth.ts";
import { routes } from "#lib/api/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: answerAuth,
  POST: answerAuth,
});
