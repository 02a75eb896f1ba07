import { answerPreflight } from "#lib/api/http/preflight.ts";
import { routes } from "#lib/api/http/route.ts";
import { answerSignedOutput } from "#lib/api/outputs.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: answerSignedOutput,
  OPTIONS: answerPreflight,
});
