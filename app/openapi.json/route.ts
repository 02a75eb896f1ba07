import { answerOpenApi } from "#lib/api/openapi/document.ts";
import { routes } from "#lib/api/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({ GET: answerOpenApi });
