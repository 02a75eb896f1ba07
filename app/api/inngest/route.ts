import { inngestEndpoints } from "#app/api/inngest/endpoints.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(...inngestEndpoints);
