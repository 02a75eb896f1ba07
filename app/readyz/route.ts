import { answerReadiness } from "#lib/api/health.ts";
import { routes } from "#lib/api/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({ GET: answerReadiness });
