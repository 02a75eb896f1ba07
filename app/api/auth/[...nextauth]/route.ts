import { readAuth, submitAuth } from "#app/api/auth/endpoints.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readAuth, submitAuth);
