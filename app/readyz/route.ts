import { readReadiness } from "#lib/api/endpoints/service/readiness.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readReadiness);
