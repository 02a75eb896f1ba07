import { readStatus } from "#lib/api/endpoints/service/status.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readStatus);
