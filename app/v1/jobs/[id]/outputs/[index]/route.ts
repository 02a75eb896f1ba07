import { readOutputAt } from "#lib/api/endpoints/jobs/outputs.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readOutputAt);
