import { readMetricsText } from "#lib/api/endpoints/service/metrics.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readMetricsText);
