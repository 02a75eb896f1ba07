import { routes } from "#lib/api/http/route.ts";
import { answerMetrics } from "#lib/api/metrics.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({ GET: answerMetrics });
