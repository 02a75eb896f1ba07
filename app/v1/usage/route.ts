import { readUsage } from "#lib/api/endpoints/usage/read.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readUsage);
