import { routesUnder } from "#lib/api/routing/routes-under.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routesUnder("/packages");
