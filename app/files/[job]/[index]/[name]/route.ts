import { answerSignedOutput } from "#lib/api/outputs.ts";
import { answerPreflight } from "#lib/api/preflight.ts";
import { routes } from "#lib/api/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: answerSignedOutput,
  OPTIONS: answerPreflight,
});
