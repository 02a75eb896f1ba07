import { answerSignedInput } from "#lib/api/outputs.ts";
import { routes } from "#lib/api/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({ GET: answerSignedInput });
