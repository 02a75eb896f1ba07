import { answerMetrics } from "#lib/api/metrics.ts";
import { routes } from "#lib/api/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({ GET: answerMetrics });
