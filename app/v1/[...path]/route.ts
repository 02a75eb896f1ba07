import { answerUnknown, routes } from "#lib/api/http/route.ts";

const all = { GET: answerUnknown, POST: answerUnknown, PUT: answerUnknown };
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  ...all,
  PATCH: answerUnknown,
  DELETE: answerUnknown,
  OPTIONS: answerUnknown,
});
