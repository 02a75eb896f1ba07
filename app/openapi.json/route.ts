import { routes } from "#lib/api/http/route.ts";
import { answerOpenApi } from "#lib/api/openapi/document.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({ GET: answerOpenApi });
