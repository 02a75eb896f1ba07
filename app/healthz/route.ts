import { readHealth } from "#lib/api/endpoints/service/health.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readHealth);
