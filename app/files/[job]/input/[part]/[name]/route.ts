import { routes } from "#lib/api/http/route.ts";
import { answerSignedInput } from "#lib/api/outputs.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({ GET: answerSignedInput });
